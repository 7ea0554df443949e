/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestVolumeVisits {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private long nanos = -1;
  private final VolumeVisits visits = new VolumeVisits(() -> nanos);
  private TestingSsd ssd;
  private CachedBlock block;

  @Before
  public void open() throws IOException {
    ssd = TestingSsd.open(folder.getRoot().toPath().resolve("ssd"));
    int pages = VolumeVisits.MOST_AVOIDED + 1;
    block = ssd.register(
        TestingReplica.create(folder.getRoot().toPath(), 1, pages * TestingSsd.PAGE));
  }

  @After
  public void close() {
    visits.close();
    ssd.close();
  }

  private PageSlice page(int page) {
    return PageSlice.ofParts(block.layout(), page, 0, 0);
  }

  @Test
  public void isAvoided_failedBefore_forTenMinutes() {
    assertFalse(visits.isAvoided(block, page(3)));
    visits.avoid(block, page(3));
    assertTrue(visits.isAvoided(block, page(3)));
    assertFalse(visits.isAvoided(block, page(4)));
    nanos += TimeUnit.MINUTES.toNanos(10);
    assertTrue(visits.isAvoided(block, page(3)));
    nanos++;
    assertFalse(visits.isAvoided(block, page(3)));
  }

  @Test
  public void avoid_veryMany_theOldestAreForgotten() {
    for (int page = 0; page < VolumeVisits.MOST_AVOIDED; page++) {
      visits.avoid(block, page(page));
    }
    visits.avoid(block, page(0));
    visits.avoid(block, page(VolumeVisits.MOST_AVOIDED));
    assertTrue(visits.isAvoided(block, page(0)));
    assertFalse(visits.isAvoided(block, page(1)));
    assertTrue(visits.isAvoided(block, page(2)));
  }

  @Test
  public void threadsOf_oneVolumeHangs_othersHaveTheirThreads() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(VolumeVisits.MOST_AT_ONCE);
    for (int i = 0; i < VolumeVisits.MOST_AT_ONCE; i++) {
      visits.threadsOf("/data/1").execute(() -> {
        begun.countDown();
        try {
          released.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
    }
    begun.await();
    assertThrows(RejectedExecutionException.class,
        () -> visits.threadsOf("/data/1").execute(() -> { }));
    CountDownLatch other = new CountDownLatch(1);
    visits.threadsOf("/data/2").execute(other::countDown);
    other.await();
    released.countDown();
  }

  @Test
  public void threadsOf_closedOrUnknownVolume_beginsNothing() {
    assertThrows(RejectedExecutionException.class,
        () -> visits.threadsOf(null).execute(() -> { }));
    visits.close();
    assertThrows(RejectedExecutionException.class,
        () -> visits.threadsOf("/data/1").execute(() -> { }));
  }
}

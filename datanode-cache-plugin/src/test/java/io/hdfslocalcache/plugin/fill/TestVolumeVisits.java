/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

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
  private final Volume volume = new Volume(() -> nanos);
  private TestingSsd ssd;
  private CachedBlock block;

  @Before
  public void open() throws IOException {
    ssd = TestingSsd.open(folder.getRoot().toPath().resolve("ssd"));
    int pages = Volume.MOST_AVOIDED + 1;
    block = ssd.register(
        TestingReplica.create(folder.getRoot().toPath(), 1, pages * TestingSsd.PAGE));
  }

  @After
  public void close() {
    volume.close();
    ssd.close();
  }

  private PageSlice page(int page) {
    return PageSlice.ofParts(block.layout(), page, 0, 0);
  }

  @Test
  public void isAvoided_failedBefore_forTenMinutes() {
    assertFalse(volume.isAvoided(block, page(3)));
    volume.avoid(block, page(3));
    assertTrue(volume.isAvoided(block, page(3)));
    assertFalse(volume.isAvoided(block, page(4)));
    nanos += TimeUnit.MINUTES.toNanos(10);
    assertTrue(volume.isAvoided(block, page(3)));
    nanos++;
    assertFalse(volume.isAvoided(block, page(3)));
  }

  @Test
  public void avoid_veryMany_theOldestAreForgotten() {
    for (int page = 0; page < Volume.MOST_AVOIDED; page++) {
      volume.avoid(block, page(page));
    }
    volume.avoid(block, page(0));
    volume.avoid(block, page(Volume.MOST_AVOIDED));
    assertTrue(volume.isAvoided(block, page(0)));
    assertFalse(volume.isAvoided(block, page(1)));
    assertTrue(volume.isAvoided(block, page(2)));
  }

  @Test
  public void visit_oneVolumeHangs_othersHaveTheirThreads() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(Volume.MOST_VISITS);
    for (int i = 0; i < Volume.MOST_VISITS; i++) {
      volume.visit(() -> {
        begun.countDown();
        try {
          released.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
    }
    begun.await();
    assertThrows(RejectedExecutionException.class, () -> volume.visit(() -> { }));
    CountDownLatch other = new CountDownLatch(1);
    try (Volume second = new Volume(() -> nanos)) {
      second.visit(other::countDown);
      other.await();
    }
    released.countDown();
  }

  @Test
  public void visit_closed_beginsNothing() {
    volume.close();
    assertThrows(RejectedExecutionException.class, () -> volume.visit(() -> { }));
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class TestRemovals implements Removals.Place {

  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private final AtomicLong millis = new AtomicLong(1000);
  private final BlockIndex index = new BlockIndex();
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final List<Long> removed = Collections.synchronizedList(new ArrayList<>());
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
  private volatile CachedBlock failing;
  private final Removals removals =
      new Removals("test", this, () -> TimeUnit.MILLISECONDS.toNanos(millis.get()));

  @After
  public void close() {
    goOn.countDown();
    removals.close();
  }

  private CachedBlock block(long id) {
    return index.register(new ReplicaSnapshot(new BlockKey("pool", id), 1001, 1),
        PageLayout.usual(4096, 1), ReplicaIdentity.NONE, () -> Path.of("/ssd")).block();
  }

  @Override
  public int removePages(CachedBlock block) {
    try {
      goOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (block == failing) {
      throw new IllegalStateException("a bug");
    }
    return 1;
  }

  @Override
  public void removed(CachedBlock block, int pages, String why, long lag) {
    removed.add(block.snapshot().key().blockId());
  }

  @Override
  public void failed(Throwable why) {
    failures.add(why);
  }

  @Test
  public void lag_removalsAreHeldUp_growsAndIsRememberedAfterwards() {
    assertEquals(0, removals.waitingMillis());
    assertTrue(removals.isIdle());
    removals.remove(block(1), "test");
    assertFalse("not for a moment", removals.isIdle());
    millis.addAndGet(40);
    assertEquals(40, removals.waitingMillis());
    removals.remove(block(2), "test");
    millis.addAndGet(2);
    assertEquals("the oldest counts", 42, removals.waitingMillis());
    goOn.countDown();
    removals.close();
    assertEquals(List.of(1L, 2L), removed);
    assertTrue(removals.isIdle());
    assertEquals(0, removals.waitingMillis());
    assertEquals(2, removals.lastLagMillis());
  }

  @Test
  public void remove_failsUnexpectedly_isToldAndTheNextIsRemoved() {
    failing = block(1);
    goOn.countDown();
    removals.remove(failing, "fails");
    LocalCacheCluster.await("the failure", () -> !failures.isEmpty());
    removals.remove(block(2), "works");
    removals.close();
    assertEquals(List.of(2L), removed);
    assertEquals(1, failures.size());
    assertEquals(0, removals.waitingMillis());
  }

  @Test
  public void remove_closed_waitsForNothing() {
    goOn.countDown();
    removals.close();
    removals.remove(block(1), "test");
    assertFalse(removals.execute(() -> removed.add(0L)));
    millis.addAndGet(10);
    assertEquals(0, removals.waitingMillis());
    assertEquals(List.of(), removed);
  }
}

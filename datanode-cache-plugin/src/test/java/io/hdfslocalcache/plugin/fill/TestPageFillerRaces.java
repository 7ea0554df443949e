/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import org.junit.Test;

/** What else may happen while a fill goes on. */
public class TestPageFillerRaces extends PageFillerFixture {

  @Test
  public void fill_replicaChangedAfterItWasOpened_leavesNeitherPageNorEntry()
      throws IOException {
    replicas.afterOpen(replicas::change);
    fill();
    assertNothingCached();
    assertEquals(1, metrics.total(Event.FILLS_DROPPED_STALE));
    assertEquals(0, metrics.errors());
  }

  @Test
  public void fill_replicaChangedBeforeAPageIsPublished_leavesNeitherPageNorEntry()
      throws IOException {
    ssd.cache(replica, 4);
    replicas.afterRead(this::changeReplica);
    fill();
    assertNothingCached();
    assertEquals(1, metrics.total(Event.FILLS_DROPPED_STALE));
  }

  /** As the local cache does when the DataNode tells it. */
  private void changeReplica() {
    replicas.change();
    CachedBlock block = ssd.index().get(replica.snapshot().key());
    ssd.index().discard(block);
    removePages(block);
  }

  @Test
  public void fill_newerGenerationStamp_replacesThePagesOfTheOlder() throws IOException {
    fill();
    ReplicaSnapshot newer = new ReplicaSnapshot(replica.snapshot().key(), 1002, 2 * PAGE);
    use(TestingReplica.create(root, newer, TestingReplica.CRC32C));
    fill();
    assertCached(0, 1);
    assertEquals(1, ssd.index().blocks());
  }

  @Test
  public void fill_samePageByTwo_isWrittenOnce() throws Exception {
    CountDownLatch firstReads = new CountDownLatch(1);
    CountDownLatch secondIsOver = new CountDownLatch(1);
    replicas.afterRead(() -> {
      firstReads.countDown();
      await(secondIsOver);
    });
    Thread first = new Thread(this::fill);
    first.start();
    await(firstReads);
    replicas.afterRead(() -> { });
    fill();
    secondIsOver.countDown();
    first.join();
    assertCached(0, 1, 2, 3, 4);
    assertEquals(5, metrics.total(Event.FILLS));
    assertEquals(5 * 2 * PAGE, written.get());
  }

  @Test
  public void fill_pageIsThereWhenItIsToBePublished_isNoFill() throws IOException {
    replicas.afterRead(() -> {
      replicas.afterRead(() -> { });
      ssd.cache(replica, 0);
    });
    fill();
    assertCached(0, 1, 2, 3, 4);
    assertEquals(4, metrics.total(Event.FILLS));
    assertEquals(3 * PAGE + 700, metrics.total(Event.FILL_BYTES));
    assertEquals(0, metrics.total(Event.FILLS_DROPPED_NOT_PUBLISHED));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  public void fill_switchedOffMeanwhile_readsAndWritesNothingMore() throws IOException {
    replicas.afterRead(() -> mayFill = false);
    fill();
    assertNothingCached();
    assertEquals(0, written.get());
    assertEquals(PAGE, replica.dataRead());
  }

  @Test
  public void fill_interruptedWhileItWaits_touchesNoPage() throws IOException {
    pace = bytes -> Thread.currentThread().interrupt();
    fill();
    assertTrue("still interrupted", Thread.interrupted());
    assertEquals(0, replica.dataRead());
    assertEquals(0, metrics.errors());
    pace = bytes -> { };
    assertNothingCached();
  }

  @Test
  public void fill_replicaChangedWhileItWaits_touchesNoPage() throws IOException {
    ssd.cache(replica, 4);
    long before = replica.dataRead();
    pace = bytes -> changeReplica();
    fill();
    assertEquals(before, replica.dataRead());
    assertNothingCached();
  }

  @Test
  public void fill_pagesThatAreThere_doNotWait() {
    fill();
    pace = bytes -> {
      throw new AssertionError("waits for a page that is there");
    };
    fill();
    assertEquals(0, metrics.errors());
  }

  @Test
  public void fill_interrupted_stopsAtTheNextPage() throws IOException {
    replicas.afterRead(() -> Thread.currentThread().interrupt());
    fill();
    assertTrue(Thread.interrupted());
    assertTrue(ssd.pageFiles().size() <= 1);
    assertTrue(replica.dataRead() <= PAGE);
  }

  @Test
  public void fill_replicaGone_isNoError() {
    replicas.afterOpen(() -> {
      replicas.change();
      throw new IOException("no such replica");
    });
    fill();
    assertEquals(0, metrics.errors());
    assertEquals(1, metrics.total(Event.FILLS_DROPPED_STALE));
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.WriteQueue;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.After;
import org.junit.Test;

/** Bytes from readers are written, or not, and their buffer is released once. */
public class TestPageWriter extends ReadThroughFixture {

  private final AtomicInteger ends = new AtomicInteger();
  private final CountDownLatch mayWrite = new CountDownLatch(1);
  private final CountDownLatch writes = new CountDownLatch(1);

  @After
  public void writeOn() {
    mayWrite.countDown();
  }

  private void holdWrites() {
    beforeWrite = this::hold;
  }

  private void hold() {
    writes.countDown();
    try {
      mayWrite.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(int page, int first, int last) {
    write(page, first, last, false);
  }

  private void write(int page, int first, int last, boolean isOrder) {
    PageSlice slice = PageSlice.ofParts(block.layout(), page, first, last);
    ByteBuffer content = replica.parts(slice);
    writer.writeSoon(block, slice, content, null, isOrder, ends::incrementAndGet);
  }

  private void awaitEnds(int number) {
    LocalCacheCluster.await("ends", () -> ends.get() == number);
  }

  @Test
  public void write_severalPartsOfAPage_endsEachOnce() throws IOException {
    write(0, 0, 0);
    write(0, 2, 3);
    write(0, 0, 3);
    awaitEnds(3);
    assertCached(0, 0b1111);
    assertEquals("what was there is not written again", 4 * (PART + 4096), written.get());
  }

  @Test
  public void write_blockDied_endsAtOnceAndWritesNothing() throws IOException {
    ssd.index().discard(block);
    write(0, 0, 0);
    assertEquals(1, ends.get());
    assertEquals(0, written.get());
    assertNothingCached();
  }

  @Test
  public void write_cannotBeQueued_endsOnceAndKeepsNoEntry() {
    assertThrows(NullPointerException.class, () -> writer.writeSoon(
        block, null, null, null, false, ends::incrementAndGet));
    assertEquals(1, ends.get());
    block.removeReader();
    assertNull(ssd.index().find(replica.snapshot()));
  }

  @Test
  public void write_blockIsNotReadMeanwhile_itsEntryStays() throws Exception {
    holdWrites();
    write(0, 0, 0);
    writes.await();
    block.removeReader();
    assertSame(block, ssd.index().find(replica.snapshot()));
    mayWrite.countDown();
    awaitEnds(1);
    assertCached(0, 0b1);
  }

  @Test
  public void write_nothingCameOfIt_entryIsDropped() {
    mayFill = false;
    write(0, 0, 0);
    awaitEnds(1);
    block.removeReader();
    assertNull(ssd.index().find(replica.snapshot()));
  }

  @Test
  public void write_budgetSpentSinceItWasAdmitted_isDroppedAndCounted() throws IOException {
    isBudgetSpent = true;
    write(0, 0, 0, false);
    write(0, 1, 1, true);
    awaitEnds(2);
    assertEquals(0, written.get());
    assertEquals(2, metrics.total(Event.FILLS_DROPPED_NOT_PUBLISHED));
    assertNothingCached();
  }

  /** No page is admitted for a moment while the balance is saved. */
  @Test
  public void write_noPageIsAdmittedSinceItWas_isWritten() throws IOException {
    super.mayWrite = () -> false;
    write(0, 0, 0, false);
    write(0, 1, 1, true);
    awaitEnds(2);
    assertCached(0, 0b11);
  }

  @Test
  public void write_tooMuchWaits_isDroppedAndCounted() throws Exception {
    holdWrites();
    write(0, 0, 0);
    writes.await();
    WriteQueue queue = ssd.directory().writes();
    while (queue.hasRoom(PART)) {
      queue.submit(new WriteQueue.Write(PART, this::hold, () -> { }));
    }
    write(0, 1, 1);
    assertEquals(1, ends.get());
    assertEquals(1, metrics.total(Event.FILLS_DROPPED_QUEUE_FULL));
    mayWrite.countDown();
    awaitEnds(2);
    assertCached(0, 0b1);
  }
}

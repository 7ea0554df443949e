/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.WriteQueue;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.Test;

/** Missed bytes are read once, sent, and written if they are admitted. */
public class TestReadThrough extends ReadThroughFixture {

  @Test
  public void get_missedBytes_readsTheirPartOnceAndWritesItAfterwards() throws IOException {
    ReadThrough.MissedParts read = newRead();
    assertEquals(PageBytes.Origin.REPLICA, getRight(read, 0, 1024, 2048));
    assertEquals(PART, replica.dataRead());
    assertEquals(PART / 128, replica.checksumsRead());
    awaitWritten();
    assertCached(0, 0b1);
    assertEquals(PART + 4096, written.get());
    assertEquals(1, metrics.total(Event.FILLS));
    assertEquals(PART, metrics.total(Event.FILL_BYTES));
    assertEquals(PART + 4096, metrics.total(Event.FILL_WRITTEN_BYTES));
    assertEquals(0, metrics.errors());
  }

  @Test
  public void get_endOfTheBlock_readsNoMoreThanThereIs() throws IOException {
    getRight(newRead(), 2, 199_680, 200_000);
    assertEquals(200_000 - PART, replica.dataRead());
    awaitWritten();
    assertCached(2, 0b10);
  }

  @Test
  public void get_moreIsWanted_readsUpToAQuarterOfAMegabyteAtOnce() throws IOException {
    ReadThrough.MissedParts read = newRead();
    read.get(0, 0, 512, PAGE).close();
    assertEquals(256 << 10, replica.dataRead());
    awaitWritten();
    assertCached(0, 0b11);
  }

  @Test
  public void get_moreIsWantedAndTheVolumeIsBusy_readsAllOfThePageAtOnce() throws IOException {
    useBusyDisk();
    newRead().get(0, 0, 512, PAGE - 1).close();
    assertEquals(PAGE, replica.dataRead());
    awaitWritten();
    assertCached(0, 0b1111);
  }

  @Test
  public void get_partsAreThereAndTheVolumeIsBusy_readsTheRestOfThePageAtOnce() throws IOException {
    useBusyDisk();
    ssd.cacheParts(replica, block, 0, 3, 3);
    assertSecondPartMissed(3 * PART, 0b1111);
  }

  @Test
  public void get_partsAreThereAndTheVolumeIsIdle_readsOnlyTheMissingPart() throws IOException {
    ssd.cacheParts(replica, block, 0, 3, 3);
    assertSecondPartMissed(PART, 0b1010);
  }

  @Test
  public void get_noPartIsThereAndTheVolumeIsBusy_readsOnlyTheMissingPart() throws IOException {
    useBusyDisk();
    assertSecondPartMissed(PART, 0b10);
  }

  @Test
  public void get_restOfThePageIsAvoided_readsOnlyTheMissingPart() throws IOException {
    useBusyDisk();
    ssd.cacheParts(replica, block, 0, 3, 3);
    volume.avoid(block, PageSlice.ofParts(block.layout(), 0, 0, 0));
    assertSecondPartMissed(PART, 0b1010);
  }

  /** Asserts how much of the replica is read when its second part is, and what is cached then. */
  private void assertSecondPartMissed(long bytes, int cached) throws IOException {
    getRight(newRead(), 0, PART, PART + 512);
    assertEquals(bytes, replica.dataRead());
    awaitWritten();
    assertCached(0, cached);
  }

  @Test
  public void get_moreIsWantedAndThere_readsUpToWhatIsThere() throws IOException {
    ssd.cacheParts(replica, block, 0, 1, 1);
    newRead().get(0, 0, 512, PAGE).close();
    assertEquals(PART, replica.dataRead());
    awaitWritten();
    assertCached(0, 0b11);
  }

  @Test
  public void get_rangeOverAPartThatIsThere_writesOnlyTheOthers() throws IOException {
    ssd.cacheParts(replica, block, 0, 1, 1);
    getRight(newRead(), 0, 0, 3 * PART);
    awaitWritten();
    assertCached(0, 0b111);
    assertEquals(2 * (PART + 4096), written.get());
    assertEquals(2 * PART, metrics.total(Event.FILL_BYTES));
  }

  @Test
  public void get_manyPartsOfManyPages_opensTheReplicaOnce() throws IOException {
    ReadThrough.MissedParts read = newRead();
    for (int page = 0; page < 3; page++) {
      for (int part = 0; part < block.layout().parts(page); part++) {
        getRight(read, page, part * PART, block.layout().partEnd(page, part));
      }
    }
    assertEquals(1, replica.opens());
    assertEquals(LENGTH, replica.dataRead());
    awaitWritten();
    assertCached(0, 0b1111);
    assertCached(1, 0b1111);
    assertCached(2, 0b11);
    assertEquals("a page counts once", 3, metrics.total(Event.FILLS));
    read.close();
    assertEquals(1, replica.closes());
    assertNull("it is over", get(read, 0, 0, 512));
  }

  @Test
  public void get_samePageAndNext_asksOnceForEach() throws IOException {
    ReadThrough.MissedParts read = newRead();
    getRight(read, 0, 0, 512);
    getRight(read, 0, PART, PART + 512);
    getRight(read, 1, 0, 512);
    getRight(read, 1, 3 * PART, PAGE);
    assertEquals(List.of(-1, 0, 1), asked);
    getRight(newRead(), 2, 0, 512);
    assertEquals("of another read", List.of(-1, 0, 1, -1, 2), asked);
  }

  @Test
  public void get_pageNotAdmitted_readsNothingUntilTheNextPage() throws IOException {
    refused.add(0);
    ReadThrough.MissedParts read = newRead();
    assertNull(get(read, 0, 0, 512));
    assertNull(get(read, 0, PART, PART + 512));
    assertEquals(0, replica.opens());
    assertNull(read.replica());
    getRight(read, 1, 0, 512);
    assertEquals(List.of(-1, 0, 1), asked);
    awaitWritten();
    assertCached(0, 0);
    assertCached(1, 0b1);
  }

  @Test
  public void get_blockNotAdmitted_asksForNoPage() throws IOException {
    refused.add(-1);
    ReadThrough.MissedParts read = newRead();
    assertNull(get(read, 0, 0, 512));
    assertNull(get(read, 1, 0, 512));
    assertEquals(List.of(-1), asked);
    assertEquals(0, replica.opens());
    assertNothingCached();
  }

  @Test
  public void get_askedBefore_isNotAskedAgain() throws IOException {
    ReadThrough.MissedParts read =
        readThrough().new MissedParts(block, null, replicas.open(replica.snapshot())).asked(0, false);
    reads.add(read);
    assertNull(get(read, 0, 0, 512));
    assertEquals(List.of(), asked);
    getRight(read, 1, 0, 512);
    assertEquals(List.of(1), asked);
    assertEquals("with the files that are open", 1, replica.opens());
  }

  @Test
  public void get_switchedOffAndOn_readsNothingWhileItIsOff() throws IOException {
    ReadThrough.MissedParts read = newRead();
    getRight(read, 0, 0, 512);
    awaitWritten();
    mayFill = false;
    assertNull(get(read, 0, PART, PART + 512));
    assertNull(get(read, 1, 0, 512));
    assertEquals(PART, replica.dataRead());
    mayFill = true;
    getRight(read, 0, 2 * PART, 2 * PART + 512);
    awaitWritten();
    assertCached(0, 0b101);
    assertCached(1, 0);
  }

  @Test
  public void get_ssdDoesNotKeepUp_nothingIsReadToBeDropped() throws Exception {
    CompletableFuture<Void> end = new CompletableFuture<>();
    WriteQueue writes = ssd.directory().writes();
    while (writes.hasRoom(PAGE)) {
      writes.submit(new WriteQueue.Write(PAGE, end::join, () -> { }));
    }
    assertNull(get(newRead(), 0, 0, 512));
    assertEquals(0, replica.dataRead());
    assertEquals(1, metrics.total(Event.FILLS_DROPPED_QUEUE_FULL));
    end.complete(null);
    awaitWritten();
    getRight(newRead(), 0, 0, 512);
    awaitWritten();
    assertCached(0, 0b1);
  }

  @Test
  public void get_switchedOffBeforeItIsWritten_isSentAndNotWritten() throws IOException {
    replicas.afterRead(() -> mayFill = false);
    getRight(newRead(), 0, 0, 512);
    assertNothingCached();
    assertEquals(0, written.get());
  }

  @Test
  public void get_noMemory_isCountedAndTriedAgainForTheNextPart() throws IOException {
    start(new BufferPool(PART + 3 * 16_384));
    ReadThrough.MissedParts read = newRead();
    PageBytes held = get(read, 0, 0, 512);
    assertNotNull(held);
    assertNull(get(read, 0, PART, PART + 512));
    assertEquals(1, metrics.total(Event.FILLS_DROPPED_NO_BUFFER));
    assertEquals(0, metrics.errors());
    assertEquals(PART, replica.dataRead());
    held.close();
    awaitNoBuffers();
    getRight(read, 0, 2 * PART, 2 * PART + 512);
  }

  @Test
  public void close_nothingCameOfIt_blockIsForgotten() throws IOException {
    refused.add(0);
    ReadThrough.MissedParts read = newRead();
    get(read, 0, 0, 512);
    assertNotNull(ssd.index().find(replica.snapshot()));
    read.close();
    block.removeReader();
    assertNull(ssd.index().find(replica.snapshot()));
    assertFalse(ssd.index().blocks() > 0);
  }

  @Test
  public void get_memoryAnswers_leavesItToTheDataNodeAndFillsAfterwards() {
    useMemory();
    ReadThrough.MissedParts read = newRead();
    assertNull(get(read, 0, 1024, 2048));
    assertNull(get(read, 1, 0, 512));
    assertEquals(0, replica.opens());
    assertEquals(List.of(), requests);
    read.finished();
    read.close();
    LocalCacheCluster.await("a request", fills::isIdle);
    assertEquals(List.of(FillRequest.missed(
        volume, replica.snapshot(), null, 1024, PAGE + 512)), requests);
    assertEquals("pages are asked about later", List.of(-1), asked);
  }

  @Test
  public void get_memoryAnswersAndTheBlockIsRefused_fillsNothing() {
    useMemory();
    refused.add(-1);
    ReadThrough.MissedParts read = newRead();
    assertNull(get(read, 0, 0, 512));
    read.finished();
    awaitWritten();
    assertEquals(List.of(), requests);
  }

  @Test
  public void replicaRead_memoryNoLongerHasIt_nextReadFillsByItself() throws IOException {
    useMemory();
    ReadThrough.MissedParts read = newRead();
    assertNull(get(read, 0, 0, 512));
    read.replicaRead(512, 9_000_000);
    read.finished();
    getRight(newRead(), 0, 0, 512);
    assertEquals(PART, replica.dataRead());
  }

  @Test
  public void get_volumeIsBusy_readsChecksumsAhead() throws IOException {
    useBusyDisk();
    getRight(newRead(), 0, 0, 512);
    assertEquals("those of the block, less than 8 MB", (LENGTH + 511) / 512 * 4,
        replica.checksumsRead());
  }
}

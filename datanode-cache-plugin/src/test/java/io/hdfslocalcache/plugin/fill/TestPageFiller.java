/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import org.apache.hadoop.util.DataChecksum;
import org.junit.Test;

public class TestPageFiller extends PageFillerFixture {

  @Test
  public void fill_wholeBlock_cachesAllPages() throws IOException {
    fill();
    assertCached(0, 1, 2, 3, 4);
    assertEquals(5, metrics.total(Event.FILLS));
    assertEquals(4 * PAGE + 700, metrics.total(Event.FILL_BYTES));
    assertEquals("whole file system blocks", 5 * 2 * 4096,
        metrics.total(Event.FILL_WRITTEN_BYTES));
    assertEquals("the limiter is told", metrics.total(Event.FILL_WRITTEN_BYTES), written.get());
    assertEquals(0, metrics.errors());
  }

  @Test
  public void fill_somePagesPresent_readsTheOthersOnly() throws IOException {
    ssd.cache(replica, 1, 2);
    fill();
    assertCached(0, 1, 2, 3, 4);
    assertEquals(2 * PAGE + 700, replica.dataRead());
    assertEquals(2 * SUMS + 8, replica.checksumsRead());
    assertEquals("once for each page read", 3, replica.opens());
    assertEquals(3, metrics.total(Event.FILLS));
  }

  @Test
  public void fill_allPagesPresent_doesNotOpenTheReplica() {
    fill();
    int opens = replica.opens();
    fill();
    assertEquals(opens, replica.opens());
  }

  /** Otherwise the removal of a data volume would wait for the pauses of a whole block. */
  @Test
  public void fill_pauses_nothingOfTheDataVolumeIsOpen() throws IOException {
    List<Integer> open = new ArrayList<>();
    pace = bytes -> open.add(replica.opens() - replica.closes());
    mayWrite = () -> open.add(replica.opens() - replica.closes());
    fill();
    assertCached(0, 1, 2, 3, 4);
    assertEquals("for pace and budget of each page", Collections.nCopies(10, 0), open);
  }

  @Test
  public void fill_whatNobodyOrdered_keepsToAQuarterOfTheRate() throws IOException {
    AtomicLong paid = new AtomicLong();
    pace = paid::addAndGet;
    fillMissed(0, 4 * PAGE + 700);
    assertCached(0, 1, 2, 3, 4);
    assertEquals(4 * (4 * PAGE + 700), paid.getAndSet(0));
    use(TestingReplica.create(root, 2, 4 * PAGE + 700));
    fill();
    assertEquals(4 * PAGE + 700, paid.get());
  }

  @Test
  public void fill_off_doesNotOpenTheReplica() throws IOException {
    mayFill = false;
    fill();
    assertEquals(0, replica.opens());
    assertNothingCached();
  }

  /** It would evict pages that a rule may keep. */
  @Test
  public void fill_beforeThePagesOfRulesAreKnown_fillsNothing() throws IOException {
    knowsPages = false;
    fill();
    assertNothingCached();
    knowsPages = true;
    fill();
    assertCached(0, 1, 2, 3, 4);
  }

  @Test
  public void fill_noChecksumsOrLargeChunks_isUnsupported() throws IOException {
    ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey("BP-1", 2), 1001, 2 * PAGE);
    use(TestingReplica.create(root, snapshot,
        DataChecksum.newDataChecksum(DataChecksum.Type.NULL, 512)));
    fill();
    use(TestingReplica.create(root, snapshot,
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32, 2 * PAGE)));
    fill();
    assertEquals(2, metrics.total(Event.FILLS_DROPPED_UNSUPPORTED));
    assertNothingCached();
  }

  @Test
  public void fill_chunksDoNotDivideThePage_cachesRightPages() throws IOException {
    ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey("BP-1", 2), 1001, 3 * PAGE);
    use(TestingReplica.create(root, snapshot,
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32, 1000)));
    fill();
    assertCached(0, 1, 2, 3);
  }

  @Test
  public void fill_ssdFull_evictsAndForgetsTheEvictedBlock() throws IOException {
    ssd.close();
    ssd = TestingSsd.open(root.resolve("ssd"), 16 * PAGE);
    use(TestingReplica.create(root, 1, 8 * PAGE));
    fill();
    ReplicaSnapshot first = replica.snapshot();
    use(TestingReplica.create(root, 2, 8 * PAGE));
    fill();
    assertCached(0, 1, 2, 3, 4, 5, 6, 7);
    assertNull(ssd.index().get(first.key()));
    assertFalse(ssd.index().pages() > 8);
  }

  @Test
  public void fill_missedInMemory_fillsThePagesThatWereTouched() throws IOException {
    useMemory();
    fillMissed(2 * PAGE - 1, 3 * PAGE + 1);
    assertCached(1, 2, 3);
    assertEquals(3 * PAGE, replica.dataRead());
    assertEquals(List.of(1, 2, 3), asked);
  }

  @Test
  public void fill_missedAndAPageRefused_fillsTheOthers() throws IOException {
    useMemory();
    refused.add(2);
    fillMissed(0, 4 * PAGE + 700);
    assertCached(0, 1, 3, 4);
  }

  @Test
  public void fill_missedAndTheDiskIsBusy_leavesItToTheReads() throws IOException {
    useBusyDisk();
    fillMissed(0, PAGE);
    assertNothingCached();
    assertEquals(0, replica.dataRead());
    fill();
    assertCached(0, 1, 2, 3, 4);
  }

  @Test
  public void fill_missedPartOfALargePage_fillsThatPart() throws IOException {
    ssd.close();
    int page = 512 << 10;
    ssd = TestingSsd.open(root.resolve("large"), Map.of(LocalCacheKeys.PAGE_SIZE, "512k"));
    replica = TestingReplica.create(root, 1, page);
    use(replica, page);
    useMemory();
    fillMissed(page / 4 + 1, page / 4 + 2);
    assertEquals(page / 4, replica.dataRead());
    fillMissed(0, 1);
    CachedBlock block = ssd.index().find(replica.snapshot());
    assertEquals(0b11, block.parts(0));
    PageSlice.whole(block.layout(), 0).verify(ssd.read(block, 0), 0b11, block.snapshot(), block.fileId());
    fillMissed(0, page);
    assertEquals(0b1111, block.parts(0));
    assertEquals("what is there is not read again", page, replica.dataRead());
  }

  @Test
  public void order_writeBudgetHasRoomForTwoPages_stopsThere() throws IOException {
    AtomicInteger left = new AtomicInteger(2);
    mayWrite = () -> left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    fill();
    assertCached(0, 1);
  }

  /** Its own pages that wait to be written will use up the budget. */
  @Test
  public void order_writeBudgetHasRoomForOnePage_readsNoMoreThanIsWritten() throws IOException {
    budget = 1;
    writeNanos = TimeUnit.MILLISECONDS.toNanos(200);
    fill();
    assertCached(0);
    assertEquals(PAGE, replica.dataRead());
    assertEquals(0, metrics.total(Event.FILLS_DROPPED_NOT_PUBLISHED));
  }

  @Test
  public void order_balanceIsBeingSaved_waitsForThat() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    mayWrite = () -> asked.incrementAndGet() > 2;
    fill();
    assertCached(0, 1, 2, 3, 4);
  }
}

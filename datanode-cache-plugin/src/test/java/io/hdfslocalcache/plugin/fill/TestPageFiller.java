/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;

import java.io.IOException;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.store.TestingSsd;
import org.apache.hadoop.util.DataChecksum;
import org.junit.Test;

public class TestPageFiller extends PageFillerFixture {

  @Test
  public void fill_wholeBlock_cachesAllPages() throws IOException {
    fillAll();
    assertCached(0, 1, 2, 3, 4);
    assertEquals(5, metrics.total(Event.FILLS));
    assertEquals(4 * PAGE + 700, metrics.total(Event.FILL_BYTES));
    assertEquals("whole file system blocks", 4 * 2 * 4096 + 4096,
        metrics.total(Event.FILL_WRITTEN_BYTES));
    assertEquals(0, metrics.errors());
  }

  @Test
  public void fill_range_readsAndCachesThosePagesOnly() throws IOException {
    fill(PAGE + 5, 2 * PAGE + 1);
    assertCached(1, 2);
    assertEquals(2 * PAGE, replica.dataRead());
    assertEquals(2 * SUMS, replica.checksumsRead());
  }

  @Test
  public void fill_somePagesPresent_readsTheOthersOnly() throws IOException {
    fill(PAGE, 3 * PAGE);
    fillAll();
    assertCached(0, 1, 2, 3, 4);
    assertEquals("every byte was read once", 4 * PAGE + 700, replica.dataRead());
  }

  @Test
  public void fill_allPagesPresent_doesNotOpenTheReplica() {
    fillAll();
    fill(0, 3 * PAGE);
    assertEquals(1, replica.opens());
  }

  @Test
  public void fill_off_doesNotOpenTheReplica() throws IOException {
    mayFill = false;
    fillAll();
    assertEquals(0, replica.opens());
    assertNothingCached();
  }

  @Test
  public void fill_noChecksumsOrLargeChunks_isUnsupported() throws IOException {
    ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey("BP-1", 2), 1001, 2 * PAGE);
    use(TestingReplica.create(root, snapshot,
        DataChecksum.newDataChecksum(DataChecksum.Type.NULL, 512)));
    fillAll();
    use(TestingReplica.create(root, snapshot,
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32, 2 * PAGE)));
    fillAll();
    assertEquals(2, metrics.total(Event.FILLS_DROPPED_UNSUPPORTED));
    assertNothingCached();
  }

  @Test
  public void fill_chunksDoNotDivideThePage_cachesRightPages() throws IOException {
    ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey("BP-1", 2), 1001, 3 * PAGE);
    use(TestingReplica.create(root, snapshot,
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32, 1000)));
    fillAll();
    assertCached(0, 1, 2, 3);
  }

  @Test
  public void fill_ssdFull_evictsAndForgetsTheEvictedBlock() throws IOException {
    ssd.close();
    ssd = TestingSsd.open(root.resolve("ssd"), 16 * PAGE);
    use(TestingReplica.create(root, 1, 8 * PAGE));
    fillAll();
    ReplicaSnapshot first = replica.snapshot();
    use(TestingReplica.create(root, 2, 8 * PAGE));
    fillAll();
    assertCached(0, 1, 2, 3, 4, 5, 6, 7);
    assertNull(ssd.index().get(first.key()));
    assertFalse(ssd.index().pages() > 8);
  }
}

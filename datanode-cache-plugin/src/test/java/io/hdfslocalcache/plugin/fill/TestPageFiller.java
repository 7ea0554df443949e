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
    fill();
    assertCached(0, 1, 2, 3, 4);
    assertEquals(5, metrics.total(Event.FILLS));
    assertEquals(4 * PAGE + 700, metrics.total(Event.FILL_BYTES));
    assertEquals("whole file system blocks", 5 * 2 * 4096,
        metrics.total(Event.FILL_WRITTEN_BYTES));
    assertEquals("the limiter is told", metrics.total(Event.FILL_WRITTEN_BYTES), written);
    assertEquals(0, metrics.errors());
  }

  @Test
  public void fill_somePagesPresent_readsTheOthersOnly() throws IOException {
    ssd.cache(replica, 1, 2);
    fill();
    assertCached(0, 1, 2, 3, 4);
    assertEquals(2 * PAGE + 700, replica.dataRead());
    assertEquals(2 * SUMS + 8, replica.checksumsRead());
    assertEquals(3, metrics.total(Event.FILLS));
  }

  @Test
  public void fill_allPagesPresent_doesNotOpenTheReplica() {
    fill();
    fill();
    assertEquals(1, replica.opens());
  }

  @Test
  public void fill_off_doesNotOpenTheReplica() throws IOException {
    mayFill = false;
    fill();
    assertEquals(0, replica.opens());
    assertNothingCached();
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
}

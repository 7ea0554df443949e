/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.junit.Before;
import org.junit.Test;

/** Clients that know a replica as it was before a truncation read what is below the cut. */
public class TestTruncatedReplica extends ClusterFixture {

  private static final int CHUNK = 512;
  /** More than a socket's buffers hold, so that the DataNode waits in the middle. */
  private static final int LENGTH = (16 << 20) - 100;
  private static final int CUT = LENGTH - (1 << 20);
  /** Of whole chunks below the cut. */
  private static final int BELOW = CUT / CHUNK * CHUNK;

  @Before
  public void start() throws Exception {
    cluster = LocalCacheCluster.builder().blockSize(32 << 20).start();
  }

  private void truncate(String path) throws Exception {
    cluster.fs().truncate(new Path(path), CUT);
    LocalCacheCluster.await("truncation", () -> cluster.fs().isFileClosed(new Path(path)));
    cluster.settleChanges();
  }

  private void setOn(boolean on) {
    cluster.interceptor(0).onOff().setOn(on, "test");
  }

  private int wholePages(String path) throws IOException {
    CachedBlock found = cluster.cached(0, path);
    return found == null ? 0 : found.wholePages();
  }

  /** On a busy machine, fills are dropped, also those of a short last page. */
  private void cache(String path, int length) {
    LocalCacheCluster.await("pages", () -> {
      cluster.pread(path, 0, length);
      cluster.settle();
      return wholePages(path) >= Math.ceil((double) length / LocalCacheCluster.PAGE);
    });
  }

  /** @param cached how much of the file is cached when the read begins */
  private void assertReadGoesOn(String path, int cached) throws Exception {
    byte[] bytes = cluster.write(path, LENGTH);
    if (cached > 0) {
      cache(path, cached);
    }
    try (RawReader reader =
        new RawReader(cluster.dataNode(0), cluster.block(path), "test", 0, BELOW)) {
      assertTrue(reader.next());
      truncate(path);
      assertArrayEquals(path, Arrays.copyOf(bytes, BELOW), reader.readToEnd().bytes());
    }
  }

  @Test
  public void truncate_duringAStockRead_itGoesOn() throws Exception {
    setOn(false);
    assertReadGoesOn("/stock", 0);
  }

  @Test
  public void truncate_duringAMiss_itGoesOnAsOnStock() throws Exception {
    assertReadGoesOn("/miss", 0);
  }

  @Test
  public void truncate_duringAPartialHit_itGoesOnAsOnStock() throws Exception {
    assertReadGoesOn("/partial", 8 << 20);
  }

  @Test
  public void truncate_duringAHit_itGoesOnAsOnStock() throws Exception {
    assertReadGoesOn("/hit", CUT / LocalCacheCluster.PAGE * LocalCacheCluster.PAGE);
  }

  private void assertServedBelow(ExtendedBlock old, byte[] bytes, ReadOutcome outcome)
      throws Exception {
    long before = cluster.reads(outcome);
    try (RawReader reader = new RawReader(cluster.dataNode(0), old, "test", 0, BELOW)) {
      assertArrayEquals(
          outcome.toString(), Arrays.copyOf(bytes, BELOW), reader.readToEnd().bytes());
    }
    cluster.awaitEndOfReads();
    assertEquals(before + 1, cluster.reads(outcome));
  }

  private void assertServed(ExtendedBlock old, byte[] bytes, ReadOutcome outcome)
      throws Exception {
    assertServedBelow(old, bytes, outcome);
    assertThrows(outcome.toString(), IOException.class,
        () -> new RawReader(cluster.dataNode(0), old, "test", 0, LENGTH).close());
    cluster.awaitEndOfReads();
  }

  @Test
  public void read_begunDuringTheTruncation_isServedAsOnStock() throws Exception {
    byte[] bytes = cluster.write("/file", LENGTH);
    cache("/file", 8 << 20);
    ExtendedBlock old = cluster.block("/file");
    cluster.dataNode(0).getFSDataset().initReplicaRecovery(new RecoveringBlock(
        new ExtendedBlock(old), null, old.getGenerationStamp() + 1));
    cluster.settleChanges();
    setOn(false);
    assertServedBelow(old, bytes, ReadOutcome.BYPASS_OFF);
    setOn(true);
    assertServedBelow(old, bytes, ReadOutcome.BYPASS_NOT_FINALIZED);
  }

  @Test
  public void read_begunAfterTheTruncation_isServedAsOnStock() throws Exception {
    byte[] bytes = cluster.write("/file", LENGTH);
    cache("/file", 8 << 20);
    ExtendedBlock old = cluster.block("/file");
    truncate("/file");
    assertEquals(CUT, cluster.block("/file").getNumBytes());
    assertTrue(cluster.block("/file").getGenerationStamp() > old.getGenerationStamp());
    setOn(false);
    assertServed(old, bytes, ReadOutcome.BYPASS_OFF);
    setOn(true);
    // As if from a disk that is busy.
    cluster.cache(0).volumeOf(LocalCacheCluster.key(old)).took(1, TimeUnit.SECONDS.toNanos(15));
    assertServed(old, bytes, ReadOutcome.MISS_ADMITTED);
    cluster.settle();
    cluster.view(0).clear(LocalCacheCluster.key(old), "test");
    cluster.settle();
    cache("/file", 8 << 20);
    assertServed(old, bytes, ReadOutcome.PARTIAL_HIT);
    cache("/file", CUT);
    assertServed(old, bytes, ReadOutcome.HIT);
    assertArrayEquals(Arrays.copyOf(bytes, CUT), cluster.readUntilCached("/file"));
    cluster.readUntilInMemory("/file");
    assertServed(old, bytes, ReadOutcome.HIT);
    assertEquals(0, cluster.metrics(0).errors());
  }
}

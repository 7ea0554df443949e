/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.junit.Before;
import org.junit.Test;

/**
 * A file of a replica is missing. A client's read removes the replica from the DataNode's map where
 * a stock read would; the local cache's own reads change nothing.
 */
public class TestMissingFiles extends ClusterFixture {

  private static final int LENGTH = 300_100;
  private static final int OPENS = 5_000;
  private static final int CACHED = 8 * LocalCacheCluster.PAGE;

  private byte[] bytes;
  private ExtendedBlock block;
  private BlockKey key;

  @Before
  public void start() throws Exception {
    cluster = LocalCacheCluster.builder()
        .set(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10).start();
    bytes = cluster.write("/file", LENGTH);
    block = cluster.block("/file");
    key = LocalCacheCluster.key(block);
  }

  private void cacheSome() throws Exception {
    cluster.pread("/file", 0, CACHED);
    cluster.settle();
    assertEquals(CACHED / LocalCacheCluster.PAGE, cluster.cached(0, block).pages());
  }

  @SuppressWarnings("deprecation")
  private Replica replica() {
    return cluster.dataNode(0).getFSDataset()
        .getReplica(block.getBlockPoolId(), block.getBlockId());
  }

  /** Asserts it for the DataNode's map and for the NameNode. */
  private void assertReplicaStays() throws Exception {
    assertNotNull(replica());
    DataNodeTestUtils.triggerDeletionReport(cluster.dataNode(0));
    assertEquals(1, cluster.blocks("/file").get(0).getLocations().length);
  }

  @Test
  public void fill_blockFileMissing_replicaStays() throws Exception {
    assertTrue(cluster.blockFile(0, block).delete());
    cluster.view(0).warm(key);
    cluster.settle();
    assertEquals("tried", 1, cluster.metrics(0).errors());
    assertReplicaStays();
  }

  /** A file may be deleted between two checks of a fill. */
  @Test
  public void open_blockFileGoesAndComes_replicaStays() throws Exception {
    ReplicaAccess replicas = new DatasetReplicaAccess(cluster.dataNode(0));
    ReplicaSnapshot snapshot = replicas.finalized(key);
    Path file = cluster.blockFile(0, block).toPath();
    Path away = file.resolveSibling("away");
    AtomicBoolean end = new AtomicBoolean();
    FutureTask<Integer> mover = new FutureTask<>(() -> {
      int moves = 0;
      for (; !end.get(); moves++) {
        Files.move(file, away);
        Files.move(away, file);
      }
      return moves;
    });
    new Thread(mover).start();
    int failures = 0;
    for (int i = 0; i < OPENS && replica() != null; i++) {
      try {
        replicas.open(snapshot).close();
      } catch (IOException e) {
        failures++;
      }
    }
    end.set(true);
    assertTrue("they met", mover.get() > 0 && failures > 0);
    assertReplicaStays();
  }

  /** As by the disk balancer. */
  @Test
  public void open_replicaIsMovedToOtherVolumesAndBack_opensIt() throws Exception {
    ReplicaAccess replicas = new DatasetReplicaAccess(cluster.dataNode(0));
    ReplicaSnapshot snapshot = replicas.finalized(key);
    AtomicBoolean end = new AtomicBoolean();
    FsDatasetSpi<?> dataset = cluster.dataNode(0).getFSDataset();
    FutureTask<Integer> mover = new FutureTask<>(() -> {
      int moves = 0;
      try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
        for (; !end.get(); moves++) {
          dataset.moveBlockAcrossVolumes(block, volumes.get(0).equals(dataset.getVolume(block))
              ? volumes.get(1) : volumes.get(0));
        }
      }
      return moves;
    });
    new Thread(mover).start();
    try {
      for (int i = 0; i < OPENS; i++) {
        replicas.open(snapshot).close();
      }
    } finally {
      end.set(true);
    }
    assertTrue("they met", mover.get() > 10);
  }

  @Test
  public void clear_blockIsReadAndBlockFileMissing_replicaStays() throws Exception {
    cacheSome();
    assertTrue(cluster.cached(0, block).addReader());
    assertTrue(cluster.blockFile(0, block).delete());
    cluster.view(0).clear(key, "test");
    cluster.settleChanges();
    assertReplicaStays();
  }

  @Test
  public void read_blockFileMissingAndNothingCached_replicaLeavesAsInAStockRead()
      throws Exception {
    assertTrue(cluster.blockFile(0, block).delete());
    assertThrows("refused at once", IOException.class,
        () -> new RawReader(cluster.dataNode(0), block, "test", 0, LENGTH));
    LocalCacheCluster.await("removal from the map", () -> replica() == null);
    assertNull(cluster.cached(0, block));
  }

  /** Reads to the missing file, which only a stock read would report. */
  private void readBehindThePages() throws Exception {
    try (RawReader reader = new RawReader(cluster.dataNode(0), block, "test", 0, LENGTH)) {
      assertThrows(IOException.class, reader::readToEnd);
    }
    cluster.awaitNoPages(0, block);
    assertNull(cluster.cached(0, block));
    assertReplicaStays();
  }

  @Test
  public void read_blockFileMissingBehindThePages_theNextOneIsAStockRead() throws Exception {
    cacheSome();
    assertTrue(cluster.blockFile(0, block).delete());
    readBehindThePages();
    assertThrows("refused at once", IOException.class,
        () -> new RawReader(cluster.dataNode(0), block, "test", 0, LENGTH));
    LocalCacheCluster.await("removal from the map", () -> replica() == null);
  }

  /** Then a DataNode sends the data without checksums. */
  @Test
  public void read_metaFileMissingBehindThePages_theNextOneIsAStockRead() throws Exception {
    cacheSome();
    assertTrue(cluster.metaFile(0, block).delete());
    readBehindThePages();
    assertArrayEquals(bytes, cluster.pread("/file", 0, LENGTH));
    assertReplicaStays();
  }

  /** It tries again by itself. */
  @Test
  public void clientReads_metaFileMissingBehindThePages_getsAllBytes() throws Exception {
    cacheSome();
    assertTrue(cluster.metaFile(0, block).delete());
    assertArrayEquals(bytes, cluster.pread("/file", 0, LENGTH));
    assertReplicaStays();
  }

  @Test
  public void readWithoutChecksums_blockFileMissingBehindThePages_replicaStaysAsInAStockRead()
      throws Exception {
    cacheSome();
    assertTrue(cluster.blockFile(0, block).delete());
    cluster.fs().setVerifyChecksum(false);
    assertThrows(IOException.class, () -> cluster.pread("/file", 0, LENGTH));
    cluster.awaitEndOfReads();
    assertTrue("tried", cluster.reads(ReadOutcome.PARTIAL_HIT) > 0);
    assertReplicaStays();
  }

  @Test
  public void readWithoutChecksums_metaFileMissingBehindThePages_isServedAsInAStockRead()
      throws Exception {
    cacheSome();
    assertTrue(cluster.metaFile(0, block).delete());
    cluster.fs().setVerifyChecksum(false);
    assertArrayEquals(bytes, cluster.pread("/file", 0, LENGTH));
    assertEquals(1, cluster.reads(ReadOutcome.PARTIAL_HIT));
    assertReplicaStays();
  }
}

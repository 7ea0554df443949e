/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.List;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** A hit touches no file of the replica, and goes out in packets as large as the stock path's. */
public class TestHitPath {

  private static final int BLOCK = 1 << 20;
  private static final int STOCK_PACKET = 64 << 10;

  private static LocalCacheCluster cluster;

  @BeforeClass
  public static void start() throws Exception {
    cluster = LocalCacheCluster.builder().blockSize(BLOCK).start();
  }

  @AfterClass
  public static void stop() {
    cluster.close();
  }

  @Test
  public void read_replicaFilesGone_rightBytes() throws Exception {
    byte[] bytes = cluster.write("/gone", BLOCK - 100);
    cluster.readUntilCached("/gone");
    ExtendedBlock block = cluster.block("/gone");
    forgetLastChecksum(block);
    assertTrue(cluster.blockFile(0, block).delete());
    assertTrue(cluster.metaFile(0, block).delete());
    long hits = cluster.reads(ReadOutcome.HIT);
    assertArrayEquals(bytes, cluster.read("/gone"));
    assertArrayEquals(Arrays.copyOfRange(bytes, BLOCK - 200, BLOCK - 100),
        cluster.pread("/gone", BLOCK - 200, 100));
    assertEquals(2, cluster.reads(ReadOutcome.HIT) - hits);
  }

  /** The DataNode remembers it from the write; after a restart it would read the meta file. */
  private static void forgetLastChecksum(ExtendedBlock block) {
    ((FinalizedReplica) cluster.dataNode(0).getFSDataset()
        .getReplica(block.getBlockPoolId(), block.getBlockId())).setLastPartialChunkChecksum(null);
  }

  @Test
  public void read_hit_sendsPacketsOfStockSize() throws Exception {
    byte[] bytes = cluster.write("/packets", BLOCK);
    ExtendedBlock block = cluster.block("/packets");
    List<Integer> stock = packets(block, bytes);
    cluster.settle();
    long hitBytes = cluster.metrics(0).total(Event.BYTES_HIT);
    List<Integer> hit = packets(block, bytes);
    cluster.awaitEndOfReads();
    assertEquals(BLOCK, cluster.metrics(0).total(Event.BYTES_HIT) - hitBytes);
    assertEquals(stock, hit);
    assertEquals(STOCK_PACKET, (int) hit.get(0));
  }

  private static List<Integer> packets(ExtendedBlock block, byte[] bytes) throws Exception {
    try (RawReader reader = new RawReader(cluster.dataNode(0), block, "test", 0, BLOCK)) {
      assertArrayEquals(bytes, reader.readToEnd().bytes());
      return reader.packets();
    }
  }

  @Test
  public void read_hitAgainAndAgain_comesFromMemory() throws Exception {
    byte[] bytes = cluster.write("/hot", BLOCK);
    cluster.readUntilCached("/hot");
    ExtendedBlock block = cluster.block("/hot");
    long memory = cluster.metrics(0).total(Event.BYTES_MEMORY);
    packets(block, bytes);
    cluster.awaitEndOfReads();
    assertEquals("the first touch", memory, cluster.metrics(0).total(Event.BYTES_MEMORY));
    cluster.readUntilInMemory("/hot");
    memory = cluster.metrics(0).total(Event.BYTES_MEMORY);
    for (int i = 0; i < 3; i++) {
      packets(block, bytes);
    }
    cluster.awaitEndOfReads();
    assertEquals(3 * BLOCK, cluster.metrics(0).total(Event.BYTES_MEMORY) - memory);
    assertTrue(cluster.cache(0).memory().usedBytes() > BLOCK);
  }

  @Test
  public void read_hitInMemory_sendsPacketsOfStockSize() throws Exception {
    byte[] bytes = cluster.write("/hot-packets", BLOCK);
    cluster.readUntilCached("/hot-packets");
    cluster.readUntilInMemory("/hot-packets");
    assertEquals(STOCK_PACKET, (int) packets(cluster.block("/hot-packets"), bytes).get(0));
  }
}

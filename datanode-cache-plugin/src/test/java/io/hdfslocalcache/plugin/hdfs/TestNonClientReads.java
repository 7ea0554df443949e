/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeAccess;
import org.apache.hadoop.test.MetricsAsserts;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/** Reads by the cluster itself have no reuse: they are neither counted nor cached. */
public class TestNonClientReads {

  private static LocalCacheCluster cluster;
  private String file;
  private byte[] bytes;
  private ExtendedBlock block;

  /** Counts what it is told, and would admit everything. */
  public static final class CountingLimiter implements CacheRateLimiter {
    private static final AtomicInteger RECORDED = new AtomicInteger();

    public CountingLimiter(RateLimiterConfig config, RateLimiterClock clock) {
      RECORDED.set(0);
    }

    @Override
    public void record(String blockPoolId, long blockId, long bytes) {
      RECORDED.incrementAndGet();
    }

    @Override
    public boolean admits(String blockPoolId, long blockId) {
      return true;
    }
  }

  @BeforeClass
  public static void start() throws Exception {
    cluster = LocalCacheCluster.builder().dataNodes(3)
        .set(RateLimiterFactory.CLASS_KEY, CountingLimiter.class.getName())
        // Enables the scanner, so rarely that it does nothing by itself.
        .set(DFSConfigKeys.DFS_DATANODE_SCAN_PERIOD_HOURS_KEY, 24 * 21)
        .start();
  }

  @AfterClass
  public static void stop() {
    cluster.close();
  }

  @Before
  public void write() throws Exception {
    CountingLimiter.RECORDED.set(0);
    file = "/file" + System.nanoTime();
    bytes = cluster.write(file, 300_000);
    block = cluster.block(file);
  }

  private void assertNeitherCountedNorCached() throws Exception {
    cluster.settle();
    assertEquals(0, CountingLimiter.RECORDED.get());
    for (int i = 0; i < 3; i++) {
      assertNull(cluster.cached(i, block));
    }
    assertEquals(0, cluster.pageFiles(block).size());
  }

  @Test
  public void blockScanner_neitherCountedNorCached() throws Exception {
    DataNode owner = owner();
    long before = blocksVerified(owner);
    DataNodeAccess.scanSoon(owner, block);
    LocalCacheCluster.await("scan", () -> blocksVerified(owner) > before);
    assertNeitherCountedNorCached();
  }

  private static long blocksVerified(DataNode dataNode) {
    return MetricsAsserts.getLongCounter(
        "BlocksVerified", MetricsAsserts.getMetrics(dataNode.getMetrics().name()));
  }

  @Test
  public void reReplication_neitherCountedNorCached() throws Exception {
    cluster.fs().setReplication(new Path(file), (short) 3);
    DFSTestUtil.waitReplication(cluster.fs(), new Path(file), (short) 3);
    assertNeitherCountedNorCached();
  }

  @Test
  public void balancerMove_neitherCountedNorCached() throws Exception {
    LocatedBlock located = cluster.blocks(file).get(0);
    DatanodeInfo source = located.getLocations()[0];
    DatanodeInfo target = Arrays.stream(cluster.fs().getDataNodeStats())
        .filter(node -> !node.equals(source)).findFirst().orElseThrow();
    assertTrue(DFSTestUtil.replaceBlock(block, source, source, target));
    assertNeitherCountedNorCached();
  }

  @Test
  public void emptyClientName_neitherCountedNorCached() throws Exception {
    try (RawReader reader = new RawReader(owner(), block, "", 0, bytes.length)) {
      assertArrayEquals(bytes, reader.readToEnd().bytes());
    }
    assertNeitherCountedNorCached();
  }

  @Test
  public void client_isCountedAndCached() throws Exception {
    assertArrayEquals(bytes, cluster.readUntilCached(file));
    assertEquals("the same test does see reads that count", 1, CountingLimiter.RECORDED.get());
    assertTrue(cluster.pageFiles(block).size() > 0);
  }

  private DataNode owner() throws Exception {
    String uuid = cluster.blocks(file).get(0).getLocations()[0].getDatanodeUuid();
    return cluster.mini().getDataNodes().stream()
        .filter(node -> node.getDatanodeUuid().equals(uuid)).findFirst().orElseThrow();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeAccess;
import org.junit.Before;
import org.junit.Test;

/**
 * A DataNode of two name services with the same block ids leaves one of them, and comes back. For
 * readers in the middle of one of its blocks, see {@link TestNoFilesUnderLocks}.
 */
public class TestBlockPoolChanges extends ClusterFixture {

  private static final Path FILE = new Path("/file");
  private static final int LENGTH = 100_000;
  private static final int PAGES = 7;

  private final ExtendedBlock[] blocks = new ExtendedBlock[2];

  @Before
  public void startWithCachedFiles() throws Exception {
    cluster = LocalCacheCluster.builder()
        .topology(MiniDFSNNTopology.simpleFederatedTopology(2)).start();
    for (int pool = 0; pool < 2; pool++) {
      DFSTestUtil.writeFile(fs(pool), FILE, bytes(pool));
      blocks[pool] = DFSTestUtil.getAllBlocks(fs(pool), FILE).get(0).getBlock();
    }
    assertEquals("the case to test", blocks[0].getLocalBlock(), blocks[1].getLocalBlock());
    assertEquals(blocks[0].getGenerationStamp(), blocks[1].getGenerationStamp());
    for (int round = 0; round < 2; round++) {
      read(0);
      read(1);
    }
    assertEquals(2, cluster.reads(ReadOutcome.HIT));
    assertEquals(2 * PAGES, cluster.cache(0).index().pages());
  }

  private DistributedFileSystem fs(int pool) throws Exception {
    return cluster.mini().getFileSystem(pool);
  }

  private static byte[] bytes(int pool) {
    return LocalCacheCluster.bytes(pool, LENGTH);
  }

  private void read(int pool) throws Exception {
    assertArrayEquals(bytes(pool), DFSTestUtil.readFileAsBytes(fs(pool), FILE));
    cluster.settle();
  }

  /** The DataNode serves these name services from now on. */
  private void serve(int... pools) throws Exception {
    Configuration conf = new Configuration(cluster.mini().getConfiguration(pools[0]));
    String[] ids = Arrays.stream(pools).mapToObj(pool -> cluster.mini().getConfiguration(pool)
        .get(DFSConfigKeys.DFS_NAMESERVICE_ID)).toArray(String[]::new);
    conf.setStrings(DFSConfigKeys.DFS_NAMESERVICES, ids);
    DataNodeAccess.refreshNamenodes(cluster.dataNode(0), conf);
  }

  private void assertOnlyPagesOfTheOtherPool() throws Exception {
    cluster.awaitNoPages(0, blocks[0]);
    assertEquals(PAGES, cluster.pageFiles(blocks[1]).size());
    assertEquals(PAGES, cluster.cache(0).index().pages());
    long hits = cluster.reads(ReadOutcome.HIT);
    read(1);
    assertEquals(hits + 1, cluster.reads(ReadOutcome.HIT));
    assertEquals(0, cluster.metrics(0).errors());
  }

  @Test
  public void fileDeleted_pagesOfTheOtherPoolStay() throws Exception {
    assertTrue(fs(0).delete(FILE, false));
    assertOnlyPagesOfTheOtherPool();
  }

  @Test
  public void removedAndRegisteredAgain_changedMeanwhile_neverStale() throws Exception {
    serve(1);
    assertOnlyPagesOfTheOtherPool();
    serve(0, 1);
    cluster.mini().waitActive(0);
    read(0);
    assertNotNull("cached again", cluster.cached(0, blocks[0]));
    serve(1);
    cluster.awaitNoPages(0, blocks[0]);
    assertTrue(fs(0).delete(FILE, false));
    serve(0, 1);
    cluster.mini().waitActive(0);
    LocalCacheCluster.await("deletion",
        () -> cluster.mini().getBlockFile(0, blocks[0]) == null);
    assertOnlyPagesOfTheOtherPool();
  }
}

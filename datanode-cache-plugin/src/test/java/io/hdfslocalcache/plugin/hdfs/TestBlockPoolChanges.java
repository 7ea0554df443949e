/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeAccess;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** A DataNode of two name services leaves one of them, and comes back. */
public class TestBlockPoolChanges {

  private static final Path FILE = new Path("/file");
  private static final int LENGTH = (16 << 20) - 100;
  /** More than a socket's buffers hold, so that the DataNode waits before it needs the replica. */
  private static final int CACHED = 12 << 20;

  private final ExtendedBlock[] blocks = new ExtendedBlock[2];
  private LocalCacheCluster cluster;

  @Before
  public void startWithCachedFiles() throws Exception {
    cluster = LocalCacheCluster.builder().blockSize(32 << 20)
        .topology(MiniDFSNNTopology.simpleFederatedTopology(2)).start();
    for (int pool = 0; pool < 2; pool++) {
      DFSTestUtil.writeFile(fs(pool), FILE, bytes(pool));
      readBeginning(pool);
      blocks[pool] = DFSTestUtil.getAllBlocks(fs(pool), FILE).get(0).getBlock();
      assertNotNull(cluster.cached(0, blocks[pool]));
    }
  }

  @After
  public void stop() {
    cluster.close();
  }

  private DistributedFileSystem fs(int pool) throws Exception {
    return cluster.mini().getFileSystem(pool);
  }

  private static byte[] bytes(int pool) {
    return LocalCacheCluster.bytes(pool, LENGTH);
  }

  private void readBeginning(int pool) throws Exception {
    byte[] part = new byte[CACHED];
    try (FSDataInputStream in = fs(pool).open(FILE)) {
      in.readFully(0, part);
    }
    assertArrayEquals(Arrays.copyOf(bytes(pool), CACHED), part);
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

  @Test
  public void removed_itsPagesGoAndOthersStay() throws Exception {
    serve(1);
    cluster.awaitNoPages(0, blocks[0]);
    assertTrue(cluster.pageFiles(blocks[1]).size() > 0);
    long hits = cluster.reads(ReadOutcome.HIT);
    readBeginning(1);
    assertNotEquals(hits, cluster.reads(ReadOutcome.HIT));
  }

  @Test
  public void removed_readInProgressGoesOn() throws Exception {
    try (RawReader reader = new RawReader(cluster.dataNode(0), blocks[0], "test", 0, LENGTH)) {
      assertTrue(reader.next());
      serve(1);
      cluster.awaitNoPages(0, blocks[0]);
      assertArrayEquals(bytes(0), reader.readToEnd().bytes());
    }
    cluster.awaitEndOfReads();
    assertEquals(1, cluster.reads(ReadOutcome.PARTIAL_HIT));
    assertEquals(0, cluster.metrics(0).errors());
  }

  @Test
  public void registeredAgain_changedMeanwhile_neverStale() throws Exception {
    serve(1);
    cluster.awaitNoPages(0, blocks[0]);
    serve(0, 1);
    cluster.mini().waitActive(0);
    readBeginning(0);
    readBeginning(0);
    assertNotNull("cached again", cluster.cached(0, blocks[0]));
    serve(1);
    cluster.awaitNoPages(0, blocks[0]);
    assertTrue(fs(0).delete(FILE, false));
    serve(0, 1);
    cluster.mini().waitActive(0);
    LocalCacheCluster.await("deletion",
        () -> cluster.mini().getBlockFile(0, blocks[0]) == null);
    cluster.awaitNoPages(0, blocks[0]);
    readBeginning(1);
    assertEquals(0, cluster.metrics(0).errors());
  }
}

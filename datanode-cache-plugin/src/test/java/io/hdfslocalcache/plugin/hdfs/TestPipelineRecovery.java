/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.BlockWrite.ReplaceDatanodeOnFailure;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.Test;

/**
 * What a writer does when a DataNode of its pipeline fails: the others get a new generation stamp
 * in a way that depends on how far they and the writer had come.
 */
public class TestPipelineRecovery extends ClusterFixture {

  private static final Path FILE = new Path("/file");
  private static final int LENGTH = 300_100;

  private byte[] bytes;
  private ExtendedBlock block;

  private void start(int replicas) throws Exception {
    cluster = LocalCacheCluster.builder().dataNodes(replicas)
        .set(ReplaceDatanodeOnFailure.POLICY_KEY, "NEVER").start();
    bytes = cluster.write(FILE.toString(), LENGTH, (short) replicas);
    block = cluster.block(FILE.toString());
    for (int i = 0; i < replicas; i++) {
      assertArrayEquals(bytes, readFrom(i));
      cluster.settle();
      assertArrayEquals(bytes, readFrom(i));
      assertEquals(1, cluster.metrics(i).reads(ReadOutcome.HIT));
    }
  }

  private byte[] readFrom(int dataNode) throws IOException {
    ExtendedBlock now = cluster.block(FILE.toString());
    try (RawReader reader =
        new RawReader(cluster.dataNode(dataNode), now, "test", 0, now.getNumBytes())) {
      return reader.readToEnd().bytes();
    } finally {
      cluster.awaitEndOfReads();
    }
  }

  @Test
  public void recoverAppend_firstOfThePipelineFails_neverStale() throws Exception {
    appendWithout(0);
  }

  @Test
  public void recoverAppend_lastOfThePipelineFails_neverStale() throws Exception {
    appendWithout(1);
  }

  /** The NameNode still believes that all DataNodes live when the pipeline is set up. */
  private void appendWithout(int failed) throws Exception {
    start(2);
    DatanodeInfo[] pipeline = cluster.blocks(FILE.toString()).get(0).getLocations();
    cluster.mini().stopDataNode(pipeline[failed].getXferAddr());
    DataNode left = cluster.dataNode(0);
    assertEquals(pipeline[1 - failed].getXferPort(), left.getXferPort());
    byte[] added = LocalCacheCluster.bytes(3, 7000);
    try (FSDataOutputStream out = cluster.fs().append(FILE)) {
      out.write(added);
      out.hflush();
      assertArrayEquals("earlier reader", bytes, readOldStamp());
    }
    cluster.settle();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(bytes);
    whole.write(added);
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(whole.toByteArray(), readFrom(0));
      cluster.settle();
    }
    long stamp = cluster.block(FILE.toString()).getGenerationStamp();
    assertTrue("recovered once at least", stamp >= block.getGenerationStamp() + 2);
    assertNotNull(cluster.cached(0, block));
    assertEquals(stamp, cluster.cached(0, block).snapshot().generationStamp());
    assertEquals(0, cluster.metrics(0).errors());
    assertTrue(cluster.metrics(0).total(Event.INVALIDATED_BLOCKS) >= 1);
  }

  /** Reads as a client that opened the file before the append. */
  private byte[] readOldStamp() throws IOException {
    try (RawReader reader = new RawReader(cluster.dataNode(0), block, "test", 0, LENGTH)) {
      // The DataNode completes the last chunk with what was appended.
      return Arrays.copyOf(reader.readToEnd().bytes(), LENGTH);
    } finally {
      cluster.awaitEndOfReads();
    }
  }
}

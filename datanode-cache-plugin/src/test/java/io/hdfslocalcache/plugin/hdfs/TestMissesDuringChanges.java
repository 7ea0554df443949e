/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.Before;
import org.junit.Test;

/**
 * A read fills an uncached block, and something happens in the middle of it: it ends as it would
 * have without a local cache, and the pages that enter are right.
 */
public class TestMissesDuringChanges extends ClusterFixture {

  /** More than a socket's buffers hold, so that the DataNode waits in the middle. */
  private static final int LENGTH = (16 << 20) - 100;
  private static final int HALF = LENGTH / 2;

  private byte[] bytes;
  private ExtendedBlock block;

  @Before
  public void start() throws Exception {
    cluster = LocalCacheCluster.builder().blockSize(32 << 20)
        .set(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10).start();
    bytes = cluster.write("/file", LENGTH);
    block = cluster.block("/file");
  }

  /** Begins to read the whole block, and lets the DataNode wait. */
  private RawReader begin() throws Exception {
    return RawReader.begun(cluster.dataNode(0), block);
  }

  private void assertFilesRightPages() throws Exception {
    cluster.settle();
    assertArrayEquals(bytes, cluster.readUntilCached("/file"));
    assertArrayEquals(bytes, cluster.read("/file"));
    assertEquals(0, cluster.metrics(0).errors());
  }

  @Test
  public void clientStops_othersWhoShareItsReadDoNotWait() throws Exception {
    try (RawReader stopping = begin(); RawReader other = begin()) {
      assertArrayEquals(bytes, other.readToEnd().bytes());
      // The other read ends a moment after its last byte arrives.
      LocalCacheCluster.await("only one that waits for its client",
          () -> cluster.cache(0).readsInProgress() == 1);
      assertArrayEquals(bytes, stopping.readToEnd().bytes());
    }
    assertFilesRightPages();
  }

  @Test
  public void switchedOff_readGoesOnAndFillsNoMore() throws Exception {
    try (RawReader reader = begin()) {
      cluster.interceptor(0).onOff().setOn(false, "test");
      LocalCacheCluster.await("writes", () -> !cluster.cache(0).isFilling());
      int pages = cluster.pageFiles(block).size();
      assertArrayEquals(bytes, reader.readToEnd().bytes());
      cluster.settle();
      assertEquals(pages, cluster.pageFiles(block).size());
    }
    cluster.interceptor(0).onOff().setOn(true, "test");
    assertFilesRightPages();
  }

  @Test
  public void replicaEndsTooSoon_readFailsThereAsWithoutALocalCache() throws Exception {
    try (RawReader reader = begin();
        FileChannel file = FileChannel.open(
            cluster.blockFile(0, block).toPath(), StandardOpenOption.WRITE)) {
      file.truncate(HALF);
      assertThrows(IOException.class, reader::readToEnd);
      byte[] got = reader.bytes();
      assertTrue("up to there", got.length > 0 && got.length <= HALF);
      assertArrayEquals(Arrays.copyOf(bytes, got.length), got);
    }
    cluster.settle();
    // Whether the fill or the DataNode's own read finishes depends on the volume.
    assertArrayEquals(Arrays.copyOf(bytes, HALF / 2), cluster.pread("/file", 0, HALF / 2));
  }

  @Test
  public void replicaIsDamaged_theClientFindsItAndTheNameNodeIsTold() throws Exception {
    try (FileChannel file = FileChannel.open(
        cluster.blockFile(0, block).toPath(), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {(byte) ~bytes[HALF]}), HALF);
    }
    assertThrows(IOException.class, () -> cluster.pread("/file", HALF - 100, 200));
    cluster.settle();
    // The client retries, and gets the right bytes of the next page.
    assertTrue(cluster.pageFiles(block).stream().noneMatch(
        page -> page.endsWith(String.valueOf(HALF / LocalCacheCluster.PAGE))));
    assertTrue(cluster.metrics(0).errors(Operation.FILL_VERIFY, ErrorCause.DAMAGED) > 0);
    LocalCacheCluster.await("report of the replica", () ->
        cluster.mini().getNameNode().getNamesystem().getCorruptReplicaBlocks() == 1);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeAccess;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.After;
import org.junit.Test;

/** The rarer ways in which a finalized replica changes, each on a real cluster. */
public class TestReplicaChanges {

  private static final int LENGTH = 300_100;

  private LocalCacheCluster cluster;

  @After
  public void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private byte[] startWithCachedFile(LocalCacheCluster.Builder builder) throws Exception {
    cluster = builder.start();
    byte[] bytes = cluster.write("/file", LENGTH);
    cluster.readUntilCached("/file");
    assertArrayEquals(bytes, cluster.read("/file"));
    return bytes;
  }

  private static void await(String what, Callable<Boolean> condition) {
    LocalCacheCluster.await(what, () -> {
      try {
        return condition.call();
      } catch (Exception e) {
        throw new AssertionError(what, e);
      }
    });
  }

  private static byte[] concat(byte[] a, byte[] b) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(a);
    out.write(b);
    return out.toByteArray();
  }

  @Test
  public void leaseRecoveryAfterAppend_neverStale() throws Exception {
    byte[] before = startWithCachedFile(LocalCacheCluster.builder());
    byte[] added = LocalCacheCluster.bytes(3, 7000);
    try (DistributedFileSystem abandoned = (DistributedFileSystem)
        FileSystem.newInstance(cluster.fs().getUri(), cluster.fs().getConf())) {
      FSDataOutputStream out = abandoned.append(new Path("/file"));
      out.write(added);
      out.hflush();
      DFSTestUtil.abortStream((org.apache.hadoop.hdfs.DFSOutputStream) out.getWrappedStream());
      await("lease recovery", () -> cluster.fs().recoverLease(new Path("/file")));
    }
    byte[] whole = concat(before, added);
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(whole, cluster.readUntilCached("/file"));
    }
    long stamp = cluster.block("/file").getGenerationStamp();
    assertEquals(stamp, cluster.cached(0, "/file").snapshot().generationStamp());
    assertEquals("no page of an older stamp", cluster.pageFiles("").size(),
        cluster.pageFiles("_" + stamp + "_").size());
  }

  @Test
  public void pipelineRecoveryDuringAppend_neverStale() throws Exception {
    cluster = LocalCacheCluster.builder().dataNodes(3).start();
    byte[] before = cluster.write("/file", LENGTH, (short) 2);
    for (int i = 0; i < 6; i++) {
      cluster.readUntilCached("/file");
    }
    byte[] added = LocalCacheCluster.bytes(3, 7000);
    byte[] more = LocalCacheCluster.bytes(4, 9000);
    try (FSDataOutputStream out = cluster.fs().append(new Path("/file"))) {
      out.write(added);
      out.hflush();
      String first = cluster.blocks("/file").get(0).getLocations()[0].getXferAddr();
      cluster.mini().stopDataNode(first);
      out.write(more);
    }
    byte[] whole = concat(concat(before, added), more);
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(whole, cluster.readUntilCached("/file"));
    }
    long stamp = cluster.block("/file").getGenerationStamp();
    for (int i = 0; i < cluster.mini().getDataNodes().size(); i++) {
      assertEquals(0, cluster.metrics(i).errors());
      assertTrue(cluster.cached(i, "/file") == null
          || cluster.cached(i, "/file").snapshot().generationStamp() == stamp);
    }
  }

  @Test
  public void truncateUnderSnapshot_bothVersionsRight() throws Exception {
    byte[] bytes = startWithCachedFile(LocalCacheCluster.builder());
    cluster.fs().allowSnapshot(new Path("/"));
    cluster.fs().createSnapshot(new Path("/"), "s");
    int length = LENGTH - 1234;
    cluster.fs().truncate(new Path("/file"), length);
    await("truncation", () -> cluster.fs().isFileClosed(new Path("/file")));
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(Arrays.copyOf(bytes, length), cluster.readUntilCached("/file"));
      assertArrayEquals(bytes, cluster.readUntilCached("/.snapshot/s/file"));
    }
    assertEquals(0, cluster.metrics(0).errors());
  }

  @Test
  public void replicaFoundCorruptByScanner_pagesGoWithIt() throws Exception {
    // A third DataNode, for the NameNode keeps a corrupt replica until there are enough others.
    cluster = LocalCacheCluster.builder().dataNodes(3)
        .set(DFSConfigKeys.DFS_DATANODE_SCAN_PERIOD_HOURS_KEY, 24 * 21).start();
    byte[] bytes = cluster.write("/file", LENGTH, (short) 2);
    ExtendedBlock block = cluster.block("/file");
    cluster.readUntilCached("/file");
    // Which DataNode served the read was the client's choice.
    int served = IntStream.range(0, 3).filter(i -> cluster.cached(i, block) != null)
        .findFirst().orElseThrow();
    File file = cluster.blockFile(served, block);
    Files.write(file.toPath(), new byte[LENGTH]);
    DataNodeAccess.scanSoon(cluster.dataNode(served), block);
    cluster.awaitNoPages(served, block);
    assertArrayEquals(bytes, cluster.read("/file"));
  }

  @Test
  public void volumeFailed_pagesGoWithIt() throws Exception {
    startWithCachedFile(LocalCacheCluster.builder()
        .set(DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_KEY, 1)
        .set(DFSConfigKeys.DFS_DATANODE_DISK_CHECK_MIN_GAP_KEY, "0s"));
    ExtendedBlock block = cluster.block("/file");
    DataNode dataNode = cluster.dataNode(0);
    FsVolumeSpi volume = dataNode.getFSDataset().getVolume(block);
    File directory = new File(volume.getStorageLocation().getUri());
    DataNodeTestUtils.injectDataDirFailure(directory);
    try {
      DataNodeTestUtils.waitForDiskError(dataNode, volume);
      cluster.awaitNoPages(0, block);
    } finally {
      DataNodeTestUtils.restoreDataDirFromFailure(directory);
    }
  }
}

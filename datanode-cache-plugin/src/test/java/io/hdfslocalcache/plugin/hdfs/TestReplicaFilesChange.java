/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.BlockWrite.ReplaceDatanodeOnFailure;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.After;
import org.junit.Test;

/** Changes that the DataNode has no part in, and finds out about. */
public class TestReplicaFilesChange {

  private static final int LENGTH = 300_100;

  private LocalCacheCluster cluster;
  private byte[] bytes;
  private ExtendedBlock block;

  @After
  public void stop() {
    cluster.close();
  }

  private void start(LocalCacheCluster.Builder builder, int replicas) throws Exception {
    cluster = builder.dataNodes(replicas)
        .set(ReplaceDatanodeOnFailure.POLICY_KEY, "NEVER").start();
    bytes = cluster.write("/file", LENGTH, (short) replicas);
    block = cluster.block("/file");
  }

  private void cacheAll() throws Exception {
    assertArrayEquals(bytes, cluster.readUntilCached("/file"));
    assertNotNull(cluster.cached(0, block));
  }

  @Test
  public void missingFile_replicaIsInvalidated_pagesGoWithIt() throws Exception {
    start(LocalCacheCluster.builder(), 1);
    cacheAll();
    assertTrue(cluster.metaFile(0, block).delete());
    // What BlockSender calls when it misses a file.
    cluster.dataNode(0).getFSDataset().invalidateMissingBlock(
        block.getBlockPoolId(), block.getLocalBlock());
    cluster.awaitNoPages(0, block);
  }

  @Test
  public void longerFile_foundByDirectoryScanner_pagesGo() throws Exception {
    start(LocalCacheCluster.builder(), 1);
    cacheAll();
    File file = cluster.blockFile(0, block);
    Files.write(file.toPath(), new byte[1000], StandardOpenOption.APPEND);
    DataNodeTestUtils.runDirectoryScanner(cluster.dataNode(0));
    cluster.awaitNoPages(0, block);
  }

  @Test
  public void metaFileOfOtherStamp_foundByDirectoryScanner_pagesGo() throws Exception {
    start(LocalCacheCluster.builder(), 1);
    cacheAll();
    File meta = cluster.metaFile(0, block);
    long stamp = block.getGenerationStamp() + 1;
    Files.move(meta.toPath(), meta.toPath().resolveSibling(
        meta.getName().replace("_" + block.getGenerationStamp(), "_" + stamp)));
    DataNodeTestUtils.runDirectoryScanner(cluster.dataNode(0));
    cluster.awaitNoPages(0, block);
  }

  @Test
  public void deleted_whileTheDataNodeIsDown_pagesGo() throws Exception {
    start(LocalCacheCluster.builder(), 1);
    cacheAll();
    DataNodeProperties dataNode = cluster.mini().stopDataNode(0);
    assertTrue(cluster.fs().delete(new Path("/file"), false));
    cluster.mini().restartDataNode(dataNode, true);
    cluster.mini().waitActive();
    cluster.awaitNoPages(0, block);
  }

  @Test
  public void appended_whileTheDataNodeIsDown_neverStale() throws Exception {
    start(LocalCacheCluster.builder(), 2);
    for (int i = 0; i < 8 || cluster.cached(0, block) == null; i++) {
      assertArrayEquals(bytes, cluster.readUntilCached("/file"));
    }
    DataNodeProperties dataNode = cluster.mini().stopDataNode(0);
    byte[] added = cluster.append("/file", 5000);
    cluster.mini().restartDataNode(dataNode, true);
    cluster.mini().waitActive();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(bytes);
    whole.write(added);
    LocalCacheCluster.await("removal of old pages", () -> oldPages() == 0);
    for (int i = 0; i < 5; i++) {
      assertArrayEquals(whole.toByteArray(), cluster.readUntilCached("/file"));
    }
    assertEquals(0, oldPages());
  }

  private int oldPages() {
    try {
      // The DataNode that was stopped has no part of the append, and nothing else is cached.
      return cluster.pageFiles(block.getBlockId() + "_" + block.getGenerationStamp() + "_").size();
    } catch (IOException | java.io.UncheckedIOException e) {
      return -1;
    }
  }
}

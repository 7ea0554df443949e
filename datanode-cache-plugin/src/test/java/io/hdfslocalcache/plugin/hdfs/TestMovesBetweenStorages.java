/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.io.File;
import java.nio.file.Files;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.util.ToolRunner;
import org.junit.After;
import org.junit.Test;

/** A replica goes to another volume of its DataNode: the bytes are the same, and so is its name. */
public class TestMovesBetweenStorages {

  private static final int LENGTH = 300_100;

  private LocalCacheCluster cluster;
  private byte[] bytes;
  private ExtendedBlock block;

  @After
  public void stop() {
    cluster.close();
  }

  private void start(LocalCacheCluster.Builder builder) throws Exception {
    cluster = builder.start();
    bytes = cluster.write("/file", LENGTH);
    block = cluster.block("/file");
    assertArrayEquals(bytes, cluster.readUntilCached("/file"));
  }

  private FsVolumeSpi volume() {
    return cluster.dataNode(0).getFSDataset().getVolume(block);
  }

  private void assertPagesServeWithoutTheReplica() throws Exception {
    assertEquals(0, cluster.metrics(0).total(Event.INVALIDATED_BLOCKS));
    long hits = cluster.reads(ReadOutcome.HIT);
    File file = cluster.blockFile(0, block);
    Files.write(file.toPath(), new byte[LENGTH]);
    assertArrayEquals(bytes, cluster.read("/file"));
    assertEquals(hits + 1, cluster.reads(ReadOutcome.HIT));
    assertEquals(0, cluster.metrics(0).errors());
  }

  @Test
  public void mover_toOtherStorageType_pagesStayTrue() throws Exception {
    start(LocalCacheCluster.builder().storageTypes(StorageType.DISK, StorageType.ARCHIVE));
    assertEquals(StorageType.DISK, volume().getStorageType());
    cluster.fs().setStoragePolicy(new Path("/file"), "COLD");
    assertEquals(0, ToolRunner.run(cluster.mini().getConfiguration(0), new Mover.Cli(),
        new String[] {"-p", "/file"}));
    LocalCacheCluster.await("move", () -> volume().getStorageType() == StorageType.ARCHIVE);
    assertPagesServeWithoutTheReplica();
  }

  @Test
  public void diskBalancer_toOtherVolume_pagesStayTrue() throws Exception {
    start(LocalCacheCluster.builder());
    FsDatasetSpi<?> dataset = cluster.dataNode(0).getFSDataset();
    FsVolumeSpi from = volume();
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
      FsVolumeSpi to = volumes.get(0).equals(from) ? volumes.get(1) : volumes.get(0);
      // What the disk balancer calls for each block of its plan.
      dataset.moveBlockAcrossVolumes(block, to);
      assertEquals(to.getStorageID(), volume().getStorageID());
    }
    assertPagesServeWithoutTheReplica();
  }
}

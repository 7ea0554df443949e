/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.PmemVolumeManager;
import org.junit.After;
import org.junit.Test;

/** HDFS's own cache has a copy of a block in persistent memory, from which stock reads. */
public class TestBlocksInPmem extends ClusterFixture {

  private static final int LENGTH = 300_100;

  @After
  public void forgetVolumes() {
    PmemVolumeManager.reset();
  }

  /** Otherwise a read that began with pages would fail where they end. */
  @Test
  public void openForClient_opensTheReplica() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    Path pmem = Files.createDirectory(builder.directory().resolve("pmem"));
    cluster = builder.set(DFSConfigKeys.DFS_DATANODE_PMEM_CACHE_DIRS_KEY, pmem).start();
    byte[] bytes = cluster.write("/file", LENGTH);
    ExtendedBlock block = cluster.block("/file");
    FsDatasetSpi<?> dataset = cluster.dataNode(0).getFSDataset();
    dataset.cache(block.getBlockPoolId(), new long[] {block.getBlockId()});
    LocalCacheCluster.await("the copy",
        () -> dataset.isCached(block.getBlockPoolId(), block.getBlockId()));
    ReplicaAccess replicas = new DatasetReplicaAccess(cluster.dataNode(0));
    ByteBuffer read = ByteBuffer.allocate(LENGTH);
    try (ReplicaFiles files =
        replicas.openForClient(replicas.finalized(LocalCacheCluster.key(block)), true)) {
      files.readData(0, read);
    }
    assertArrayEquals(bytes, read.array());
  }
}

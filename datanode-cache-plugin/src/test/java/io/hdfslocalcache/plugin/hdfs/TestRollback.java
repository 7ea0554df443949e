/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;

import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.Before;
import org.junit.Test;

/**
 * A rolling upgrade is rolled back while pages from after its start are cached. Replicas return
 * from the DataNode's trash, and the NameNode reuses block ids and generation stamps for other
 * blocks. For an ordinary upgrade, whose DataNode returns to its previous directories, see
 * {@link TestSameNameOtherReplica}.
 */
public class TestRollback extends ClusterFixture {

  private static final int LENGTH = 300_100;

  @Before
  public void start() throws Exception {
    cluster = LocalCacheCluster.builder().start();
  }

  private void beginUpgrade() throws Exception {
    cluster.fs().setSafeMode(SafeModeAction.ENTER);
    cluster.fs().rollingUpgrade(RollingUpgradeAction.PREPARE);
    cluster.fs().setSafeMode(SafeModeAction.LEAVE);
    String pool = cluster.mini().getNamesystem().getBlockPoolId();
    LocalCacheCluster.await("trash", () -> {
      heartbeat();
      return cluster.dataNode(0).getFSDataset().trashEnabled(pool);
    });
  }

  private void heartbeat() throws IOException {
    DataNodeTestUtils.triggerHeartbeat(cluster.dataNode(0));
  }

  private void rollBack() throws Exception {
    DataNodeProperties dataNode = cluster.mini().stopDataNode(0);
    dataNode.setDnArgs("-rollback");
    cluster.mini().shutdownNameNodes();
    cluster.mini().restartNameNode("-rollingupgrade", "rollback");
    cluster.mini().restartDataNode(dataNode);
    cluster.mini().waitActive();
    // It is active before the DataNode has reported its blocks.
    LocalCacheCluster.await("the end of safe mode",
        () -> !cluster.mini().getNameNode().isInSafeMode());
  }

  private void delete(String path) throws Exception {
    ExtendedBlock block = cluster.block(path);
    assertTrue(cluster.fs().delete(new Path(path), false));
    LocalCacheCluster.await("deletion", () -> cluster.mini().getBlockFile(0, block) == null);
    cluster.awaitNoPages(0, block);
  }

  private void assertReads(byte[] bytes, String path) throws Exception {
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(path, bytes, cluster.readUntilCached(path));
    }
    assertNotNull(path, cluster.cached(0, path));
    assertEquals(cluster.block(path).getGenerationStamp(),
        cluster.cached(0, path).snapshot().generationStamp());
  }

  @Test
  public void rollback_deletedAndTruncatedAndUntouchedFiles_areAsBefore() throws Exception {
    byte[] kept = cluster.write("/kept", LENGTH);
    byte[] deleted = cluster.write("/deleted", LENGTH);
    byte[] truncated = cluster.write("/truncated", LENGTH);
    assertReads(kept, "/kept");
    assertReads(deleted, "/deleted");
    assertReads(truncated, "/truncated");
    beginUpgrade();
    delete("/deleted");
    cluster.fs().truncate(new Path("/truncated"), 1000);
    LocalCacheCluster.await("truncation", () -> cluster.fs().isFileClosed(new Path("/truncated")));
    assertArrayEquals(java.util.Arrays.copyOf(truncated, 1000),
        cluster.readUntilCached("/truncated"));
    rollBack();
    assertReads(kept, "/kept");
    assertReads(deleted, "/deleted");
    assertReads(truncated, "/truncated");
    assertEquals(0, cluster.metrics(0).errors());
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/**
 * An upgrade is rolled back while pages of its time are cached. Replicas come back: out of the
 * DataNode's trash after a rolling upgrade, else because the DataNode goes back to its directories
 * of before. The NameNode gives the block ids and generation stamps of the time since to other
 * blocks.
 */
@RunWith(Parameterized.class)
public class TestRollback {

  private static final int LENGTH = 300_100;

  private final boolean rolling;
  private LocalCacheCluster cluster;

  public TestRollback(String kind) {
    this.rolling = kind.equals("rolling");
  }

  @Parameterized.Parameters(name = "{0}")
  public static String[] kinds() {
    return new String[] {"rolling", "ordinary"};
  }

  @Before
  public void start() throws Exception {
    cluster = LocalCacheCluster.builder().start();
  }

  @After
  public void stop() {
    cluster.close();
  }

  private void beginUpgrade() throws Exception {
    if (rolling) {
      beginRollingUpgrade();
      return;
    }
    DataNodeProperties dataNode = cluster.mini().stopDataNode(0);
    cluster.mini().shutdownNameNodes();
    cluster.mini().restartNameNode("-upgrade");
    // The DataNode follows by itself: the NameNode's upgrade has a later time.
    cluster.mini().restartDataNode(dataNode);
    cluster.mini().waitActive();
    cluster.settle();
  }

  private void beginRollingUpgrade() throws Exception {
    cluster.fs().setSafeMode(SafeModeAction.ENTER);
    cluster.fs().rollingUpgrade(RollingUpgradeAction.PREPARE);
    cluster.fs().setSafeMode(SafeModeAction.LEAVE);
    String pool = cluster.mini().getNamesystem().getBlockPoolId();
    LocalCacheCluster.await("trash", () -> {
      heartbeat();
      return cluster.dataNode(0).getFSDataset().trashEnabled(pool);
    });
  }

  private void heartbeat() {
    try {
      DataNodeTestUtils.triggerHeartbeat(cluster.dataNode(0));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void rollBack() throws Exception {
    DataNodeProperties dataNode = cluster.mini().stopDataNode(0);
    dataNode.setDnArgs("-rollback");
    Configuration conf = cluster.mini().getConfiguration(0);
    cluster.mini().shutdownNameNodes();
    if (rolling) {
      cluster.mini().restartNameNode("-rollingupgrade", "rollback");
    } else {
      NameNode.doRollback(conf, false);
      cluster.mini().restartNameNode();
    }
    cluster.mini().restartDataNode(dataNode);
    cluster.mini().waitActive();
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
    LocalCacheCluster.await("truncation", () -> isClosed("/truncated"));
    assertArrayEquals(java.util.Arrays.copyOf(truncated, 1000),
        cluster.readUntilCached("/truncated"));
    rollBack();
    assertReads(kept, "/kept");
    assertReads(deleted, "/deleted");
    assertReads(truncated, "/truncated");
    assertEquals(0, cluster.metrics(0).errors());
  }

  private boolean isClosed(String path) {
    try {
      return cluster.fs().isFileClosed(new Path(path));
    } catch (java.io.IOException e) {
      return false;
    }
  }

  /** The same block id, generation stamp and length with other bytes. */
  @Test
  public void rollback_blockOfTheUpgradeIsNamedAgain_neverItsBytes() throws Exception {
    beginUpgrade();
    byte[] upgrade = cluster.write("/upgrade", LENGTH);
    ExtendedBlock undone = cluster.block("/upgrade");
    assertReads(upgrade, "/upgrade");
    rollBack();
    assertFalse(cluster.fs().exists(new Path("/upgrade")));
    // Blocks that the NameNode does not know are not deleted before the second report.
    cluster.mini().triggerBlockReports();
    LocalCacheCluster.await("deletion of " + undone, () -> {
      heartbeat();
      return cluster.mini().getBlockFile(0, undone) == null;
    });
    byte[] other = cluster.write("/other", LENGTH);
    assertEquals("named again", undone.getLocalBlock().toString(),
        cluster.block("/other").getLocalBlock().toString());
    assertReads(other, "/other");
    assertEquals(0, cluster.metrics(0).errors());
  }
}

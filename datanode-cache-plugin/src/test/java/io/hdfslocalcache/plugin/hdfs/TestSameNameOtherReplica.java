/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/**
 * Pages of a replica return to a DataNode that now has another replica with the same block pool,
 * block id, generation stamp and length. No read ever gets a byte of them.
 */
public class TestSameNameOtherReplica extends ClusterFixture {

  private static final int LENGTH = 300_100;
  private static final int PAGES = LENGTH / LocalCacheCluster.PAGE + 1;

  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private Path mount;
  private Path away;
  private DataNodeProperties stopped;
  private ExtendedBlock before;

  private void start(int ssds) throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder().ssds(ssds);
    if (ssds == 1) {
      mount = Files.createDirectory(builder.directory().resolve("mount"));
      away = builder.directory().resolve("away");
      builder.set(LocalCacheKeys.DIRECTORIES, mount.resolve("ssd"));
    }
    cluster = builder.start();
  }

  /** After this, {@link #rollBack} returns to the present state. */
  private void upgrade() throws Exception {
    stopped = cluster.mini().stopDataNode(0);
    cluster.mini().shutdownNameNodes();
    cluster.mini().restartNameNode("-upgrade");
    cluster.start(stopped);
  }

  private void rollBack() throws Exception {
    cluster.mini().shutdownNameNodes();
    NameNode.doRollback(cluster.mini().getConfiguration(0), false);
    cluster.mini().restartNameNode();
  }

  private static void copy(Path from, Path to) throws Exception {
    assertEquals(0, new ProcessBuilder("cp", "-a", from.toString(), to.toString())
        .inheritIO().start().waitFor());
  }

  private void startRolledBack() throws IOException {
    stopped.setDnArgs("-rollback");
    cluster.start(stopped);
  }

  private byte[] writeAndCache(String file) throws IOException {
    byte[] bytes = cluster.write(file, LENGTH);
    assertArrayEquals(bytes, cluster.readUntilCached(file));
    before = cluster.block(file);
    assertEquals(PAGES, cluster.cached(0, before).pages());
    return bytes;
  }

  /** @return bytes of a file whose block has the name of the first one's. */
  private byte[] writeUnderTheSameName() throws Exception {
    assertFalse(cluster.fs().exists(new org.apache.hadoop.fs.Path("/before")));
    // Blocks that the NameNode does not know are not deleted before the second report, and the first
    // one may be that of the start.
    cluster.mini().triggerBlockReports();
    cluster.mini().triggerBlockReports();
    LocalCacheCluster.await("deletion of " + before, () -> {
      DataNodeTestUtils.triggerHeartbeat(cluster.dataNode(0));
      return cluster.mini().getBlockFile(0, before) == null;
    });
    byte[] after = cluster.write("/after", LENGTH);
    ExtendedBlock now = cluster.block("/after");
    assertEquals("named again", before.getLocalBlock().toString(), now.getLocalBlock().toString());
    assertEquals(before.getBlockPoolId(), now.getBlockPoolId());
    assertEquals(before.getNumBytes(), now.getNumBytes());
    return after;
  }

  /** The pages are there again, and readers get the bytes of the replica. */
  private void assertReads(byte[] bytes, String file) throws Exception {
    assertEquals("pages of the other replica are restored", PAGES,
        cluster.metrics(0).total(Event.RESTORED_PAGES));
    assertArrayEquals(bytes, cluster.pread(file, 0, LENGTH));
    assertArrayEquals(bytes, cluster.readUntilCached(file));
    assertArrayEquals(bytes, cluster.readUntilCached(file));
    assertEquals(PAGES, cluster.metrics(0).total(Event.RESTORE_DROPPED_STALE));
    assertEquals(PAGES, cluster.metrics(0).total(Event.FILLS));
    assertTrue(cluster.reads(ReadOutcome.HIT) > 0);
    assertEquals(PAGES, cluster.pageFiles(before).size());
    assertEquals(0, cluster.metrics(0).errors());
    restartAndAssertHit(bytes, file);
  }

  private void restartAndAssertHit(byte[] bytes, String file) throws Exception {
    cluster.restartDataNode(0);
    assertArrayEquals(bytes, cluster.read(file));
    assertEquals("its own pages are restored", 1, cluster.reads(ReadOutcome.HIT));
    assertEquals(0, cluster.metrics(0).total(Event.RESTORE_DROPPED_STALE));
  }

  @Test
  public void ssdAbsentDuringARollback() throws Exception {
    start(1);
    upgrade();
    writeAndCache("/before");
    stopped = cluster.mini().stopDataNode(0);
    Files.move(mount, away);
    rollBack();
    startRolledBack();
    byte[] after = writeUnderTheSameName();
    stopped = cluster.mini().stopDataNode(0);
    stopped.setDnArgs();
    Files.move(away, mount);
    cluster.start(stopped);
    assertReads(after, "/after");
  }

  /** No fault at all, only what operators do. */
  @Test
  public void ssdRemovedByCommand_rollback_addedAgain() throws Exception {
    start(2);
    upgrade();
    writeAndCache("/before");
    Path ssd = cluster.cached(0, before).ssd().path();
    cluster.view(0).ssd("remove", ssd.toString());
    stopped = cluster.mini().stopDataNode(0);
    rollBack();
    startRolledBack();
    stopped = cluster.mini().stopDataNode(0);
    stopped.setDnArgs();
    cluster.start(stopped);
    byte[] after = writeUnderTheSameName();
    cluster.view(0).ssd("add", ssd.toString());
    cluster.settle();
    assertReads(after, "/after");
  }

  /** The SSD was there all the time, but the replica's files are those of another copy. */
  @Test
  public void filesOfAReplicaExchanged_sameLength() throws Exception {
    start(1);
    byte[] other = cluster.write("/other", LENGTH);
    writeAndCache("/before");
    ExtendedBlock block = cluster.block("/other");
    Path data = cluster.blockFile(0, before).toPath();
    Path meta = cluster.metaFile(0, before).toPath();
    Path otherData = cluster.blockFile(0, block).toPath();
    Path otherMeta = cluster.metaFile(0, block).toPath();
    stopped = cluster.mini().stopDataNode(0);
    Files.delete(data);
    Files.delete(meta);
    copy(otherData, data);
    copy(otherMeta, meta);
    cluster.start(stopped);
    assertReads(other, "/before");
  }

  @Test
  public void upgrade_sameReplicas_pagesStay() throws Exception {
    start(1);
    byte[] bytes = writeAndCache("/before");
    upgrade();
    assertArrayEquals(bytes, cluster.read("/before"));
    assertEquals(1, cluster.reads(ReadOutcome.HIT));
    stopped = cluster.mini().stopDataNode(0);
    rollBack();
    startRolledBack();
    assertArrayEquals(bytes, cluster.read("/before"));
    assertEquals(1, cluster.reads(ReadOutcome.HIT));
  }

  @Test
  public void ssdMovedToAnotherDataNode_itsPagesAreNotServedThere() throws Exception {
    cluster = LocalCacheCluster.builder().dataNodes(2).start();
    byte[] bytes = cluster.write("/before", LENGTH, (short) 2);
    cluster.readUntilCached("/before");
    before = cluster.block("/before");
    int from = cluster.cached(0, before) != null ? 0 : 1;
    Path[] homes = new Path[2];
    for (int i = 0; i < 2; i++) {
      homes[i] = cluster.cache(i).directories().all().get(0).path()
          .resolve(cluster.dataNode(i).getDatanodeUuid());
    }
    stopped = cluster.mini().stopDataNode(1 - from);
    cluster.mini().stopDataNode(0);
    FileUtil.fullyDelete(homes[1 - from].toFile());
    Files.move(homes[from], homes[1 - from]);
    // It must not wait for the absent DataNode.
    cluster.mini().shutdownNameNodes();
    cluster.mini().restartNameNode();
    cluster.start(stopped);
    assertEquals(PAGES, cluster.metrics(0).total(Event.RESTORED_PAGES));
    assertReads(bytes, "/before");
  }

  /** As 1.0.0 left it: pages have no identity, so they cannot be proven. */
  @Test
  public void directoryOfTheFormatBefore_isCleared() throws Exception {
    start(1);
    byte[] bytes = writeAndCache("/before");
    Path home = cluster.cache(0).directories().all().get(0).path()
        .resolve(cluster.dataNode(0).getDatanodeUuid());
    stopped = cluster.mini().stopDataNode(0);
    Path version = home.resolve("VERSION");
    Files.writeString(version, "format=4\npageSize=" + LocalCacheCluster.PAGE + "\n");
    try (Stream<Path> files = Files.walk(home.resolve("LOCAL"))) {
      for (Path block : files.filter(file -> file.toString().matches(".*_blk_[^/]*")).toList()) {
        String name = block.getFileName().toString();
        Files.move(block, block.resolveSibling(name.replaceAll("(_blk_\\d+_\\d+).*", "$1")));
      }
    }
    cluster.start(stopped);
    assertEquals(0, cluster.metrics(0).total(Event.RESTORED_PAGES));
    assertEquals(List.of(), cluster.pageFiles(""));
    assertArrayEquals(bytes, cluster.readUntilCached("/before"));
    restartAndAssertHit(bytes, "/before");
  }

  /** A read during an append has no finalized replica to compare its pages with. */
  @Test
  public void appendBeforeTheFirstRead_pagesAreNotServed() throws Exception {
    start(1);
    byte[] bytes = writeAndCache("/before");
    cluster.restartDataNode(0);
    CachedBlock restored = cluster.cached(0, before);
    assertFalse(restored.toString(), restored.isProven());
    try (var in = cluster.fs().open(new org.apache.hadoop.fs.Path("/before"));
        var out = cluster.fs().append(new org.apache.hadoop.fs.Path("/before"))) {
      out.write(new byte[1000]);
      out.hflush();
      byte[] read = new byte[LENGTH];
      in.readFully(0, read);
      assertArrayEquals(bytes, read);
    }
    cluster.settle();
    assertEquals(0, cluster.reads(ReadOutcome.HIT));
    assertEquals(0, cluster.metrics(0).errors());
  }
}

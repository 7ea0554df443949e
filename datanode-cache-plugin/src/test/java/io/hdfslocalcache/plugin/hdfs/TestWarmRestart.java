/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSClusterAccess;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DataChecksum;
import org.junit.Test;

/** Pages that survive a restart of the DataNode, on real clusters. */
public class TestWarmRestart extends ClusterFixture {

  private static final int LENGTH = 300_100;
  private static final int PAGES = LENGTH / LocalCacheCluster.PAGE + 1;

  private byte[] startWithCachedFile(LocalCacheCluster.Builder builder) throws Exception {
    cluster = builder.start();
    return writeAndCache("/file");
  }

  private byte[] writeAndCache(String name) throws IOException {
    byte[] bytes = cluster.write(name, LENGTH);
    cluster.readUntilCached(name);
    assertEquals(PAGES, cluster.cached(0, name).pages());
    return bytes;
  }

  private long total(Event event) {
    return cluster.metrics(0).total(event);
  }

  private void assertPagesOnDisk(int pages) throws IOException {
    assertEquals("page files", pages, cluster.pageFiles("").size());
    assertEquals("pages in the index", pages, cluster.cache(0).index().pages());
  }

  @Test
  public void restart_pagesComeBackAndHit() throws Exception {
    byte[] bytes = startWithCachedFile(LocalCacheCluster.builder().ssds(2));
    byte[] other = writeAndCache("/other");
    cluster.restartDataNode(0);
    assertEquals(2 * PAGES, total(Event.RESTORED_PAGES));
    assertArrayEquals(bytes, cluster.read("/file"));
    assertArrayEquals(other, cluster.read("/other"));
    assertEquals(2, cluster.reads(ReadOutcome.HIT));
    assertEquals(0, total(Event.FILLS));
    assertEquals(0, cluster.metrics(0).errors());
    assertEquals(0, total(Event.RESTORE_DROPPED_STALE));
    assertPagesOnDisk(2 * PAGES);
  }

  @Test
  public void restart_restoreOff_directoriesAreCleared() throws Exception {
    byte[] bytes = startWithCachedFile(
        LocalCacheCluster.builder().set(LocalCacheKeys.RESTORE, false));
    cluster.restartDataNode(0);
    assertEquals(0, total(Event.RESTORED_PAGES));
    assertArrayEquals(bytes, cluster.read("/file"));
    assertEquals(1, cluster.reads(ReadOutcome.MISS_ADMITTED));
  }

  @Test
  public void restart_evictionOrder_isKept() throws Exception {
    cluster = LocalCacheCluster.builder()
        // Room for two files and a bit.
        .set(LocalCacheKeys.CAPACITY, 2 * allocated() + (64 << 10)).start();
    writeAndCache("/old");
    writeAndCache("/used");
    cluster.read("/old");
    cluster.read("/used");
    cluster.read("/old");
    cluster.restartDataNode(0);
    assertEquals(2 * PAGES, total(Event.RESTORED_PAGES));
    writeAndCache("/new");
    assertTrue("pages of the file used last", cluster.cached(0, "/old").pages() == PAGES);
    assertTrue(cluster.cached(0, "/used") == null || cluster.cached(0, "/used").pages() < PAGES);
  }

  /** @return bytes that the page files of a file take on the SSD. */
  private static long allocated() {
    PageLayout layout = new PageLayout(LocalCacheCluster.PAGE,
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512), LENGTH);
    return IntStream.range(0, PAGES).mapToLong(layout::fileLength).sum();
  }

  @Test
  public void restart_lessCapacity_theOldestGo() throws Exception {
    startWithCachedFile(LocalCacheCluster.builder());
    byte[] young = writeAndCache("/young");
    DataNodeProperties stopped = cluster.mini().stopDataNode(0);
    MiniDFSClusterAccess.conf(stopped)
        .setLong(LocalCacheKeys.CAPACITY, allocated());
    cluster.start(stopped);
    assertEquals(PAGES, total(Event.RESTORED_PAGES));
    assertEquals(PAGES, total(Event.RESTORE_DROPPED_NO_ROOM));
    assertArrayEquals(young, cluster.read("/young"));
    assertEquals(1, cluster.reads(ReadOutcome.HIT));
    assertPagesOnDisk(PAGES);
  }

  @Test
  public void restart_damagedAndForeignFiles_areDeleted() throws Exception {
    byte[] bytes = startWithCachedFile(LocalCacheCluster.builder());
    Path block = cluster.pageFiles(cluster.block("/file")).get(0).getParent();
    DataNodeProperties stopped = cluster.mini().stopDataNode(0);
    Files.write(block.resolve("0"), new byte[0]);
    Files.write(block.resolve("1"), new byte[100]);
    // As large as a sound page, so the damage is found only when it is opened.
    Files.write(block.resolve("2"), new byte[20_000]);
    Files.createFile(block.resolve("page"));
    Files.createDirectories(block.resolve("77/deeper"));
    Files.createSymbolicLink(block.resolve("78"), Path.of("/etc/passwd"));
    Files.createSymbolicLink(block.resolve("79"), Path.of("/nowhere"));
    Files.createDirectory(block.resolveSibling("no block"));
    Files.createFile(block.getParent().resolveSibling("no bucket"));
    cluster.start(stopped);
    assertArrayEquals(bytes, cluster.read("/file"));
    assertEquals(3, total(Event.RESTORE_DROPPED_DAMAGED) + total(Event.DAMAGED_PAGES));
    assertEquals(6, total(Event.RESTORE_DROPPED_FOREIGN));
    cluster.settle();
    assertPagesOnDisk(PAGES);
    assertFalse(Files.exists(block.resolveSibling("no block")));
  }

  /** The DataNode gives up its block pools, and then ends by itself. */
  private void awaitGivenUp() throws IOException {
    DataNode dataNode = cluster.dataNode(0);
    ExtendedBlock block = cluster.block("/file");
    LocalCacheCluster.await("the end of its work", () -> dataNode.getBpOsCount() == 0
        && new DatasetReplicaAccess(dataNode).finalized(LocalCacheCluster.key(block)) == null);
    cluster.settleChanges();
  }

  @Test
  public void diskFailed_dataNodeEndsByItself_pagesOfOtherDisksComeBack() throws Exception {
    byte[] bytes = startWithCachedFile(LocalCacheCluster.builder()
        .set(DFSConfigKeys.DFS_DATANODE_DISK_CHECK_MIN_GAP_KEY, "0s"));
    FsVolumeSpi good = cluster.dataNode(0).getFSDataset().getVolume(cluster.block("/file"));
    FsVolumeSpi bad = null;
    try (FsDatasetSpi.FsVolumeReferences volumes =
        cluster.dataNode(0).getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        bad = volume == good ? bad : volume;
      }
    }
    File directory = new File(bad.getBaseURI());
    DataNodeTestUtils.injectDataDirFailure(directory);
    cluster.dataNode(0).checkDiskErrorAsync(bad);
    awaitGivenUp();
    DataNodeProperties stopped = cluster.mini().stopDataNode(0);
    DataNodeTestUtils.restoreDataDirFromFailure(directory);
    cluster.start(stopped);
    assertEquals(PAGES, total(Event.RESTORED_PAGES));
    assertArrayEquals(bytes, cluster.read("/file"));
    assertEquals(1, cluster.reads(ReadOutcome.HIT));
  }

  /** Sets which DataNodes may register; none: all. */
  private void allow(Path hosts, String names) throws IOException {
    Files.writeString(hosts, names);
    cluster.mini().getNamesystem().getBlockManager().getDatanodeManager()
        .refreshNodes(cluster.mini().getConfiguration(0));
  }

  @Test
  public void rejectedByTheNameNode_dataNodeEndsByItself_pagesComeBack() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    Path hosts = Files.createFile(builder.directory().resolve("hosts"));
    byte[] bytes = startWithCachedFile(builder.set(DFSConfigKeys.DFS_HOSTS, hosts));
    allow(hosts, "192.0.2.1");
    awaitGivenUp();
    DataNodeProperties stopped = cluster.mini().stopDataNode(0);
    allow(hosts, "");
    cluster.start(stopped);
    assertEquals(PAGES, total(Event.RESTORED_PAGES));
    assertArrayEquals(bytes, cluster.read("/file"));
    assertEquals(1, cluster.reads(ReadOutcome.HIT));
  }
}

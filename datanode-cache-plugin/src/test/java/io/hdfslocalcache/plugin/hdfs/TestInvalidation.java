/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static io.hdfslocalcache.testing.LocalCacheCluster.await;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

import io.hdfslocalcache.plugin.admin.BlockStatus;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.Test;

/**
 * No change that invalidates a cached replica leaves a page or a stale byte. For readers in the
 * middle of it, see {@link TestNoFilesUnderLocks}.
 */
public class TestInvalidation extends ClusterFixture {

  private static final int LENGTH = 300_100;

  private byte[] bytes;
  private ExtendedBlock block;

  /** Starts a cluster, with a file that is cached. */
  private void start(LocalCacheCluster.Builder builder) throws Exception {
    cluster = builder.start();
    bytes = cluster.write("/file", LENGTH);
    block = cluster.block("/file");
    assertArrayEquals(bytes, cluster.readUntilCached("/file"));
    assertNotNull(cluster.cached(0, block));
  }

  private FsDatasetSpi<?> dataset() {
    return cluster.dataNode(0).getFSDataset();
  }

  private FsVolumeSpi volume() {
    return dataset().getVolume(block);
  }

  /** Something that is done to a file. */
  private interface Change {
    void of(Path file, ExtendedBlock block) throws Exception;
  }

  private void assertInvalidates(String name, Change change) throws Exception {
    String path = "/" + name;
    cluster.write(path, LENGTH);
    cluster.readUntilCached(path);
    ExtendedBlock changed = cluster.block(path);
    int pages = cluster.pageFiles(changed).size();
    assertTrue(name, pages > 0);
    long invalidated = cluster.metrics(0).total(Event.INVALIDATED_PAGES);
    change.of(new Path(path), changed);
    cluster.awaitNoPages(0, changed);
    cluster.settle();
    assertEquals(name, pages, cluster.metrics(0).total(Event.INVALIDATED_PAGES) - invalidated);
    assertEquals("nothing was evicted", 0, cluster.metrics(0).total(Event.EVICTIONS));
  }

  @Test
  public void changes_removePagesFromDisk() throws Exception {
    start(LocalCacheCluster.builder());
    assertInvalidates("delete", (file, changed) -> cluster.fs().delete(file, false));
    assertInvalidates("append", (file, changed) -> cluster.append(file.toString(), 1234));
    assertInvalidates("truncate", (file, changed) -> {
      cluster.fs().truncate(file, LENGTH - 10_001);
      await("truncation", () -> cluster.fs().isFileClosed(file));
    });
    // The writer had sent all, and missed the last answer; the replica was finalized already.
    assertInvalidates("recover-close", (file, changed) ->
        dataset().recoverClose(changed, changed.getGenerationStamp() + 5, LENGTH));
    // What BlockSender of 3.3 calls when a file is missing.
    assertInvalidates("no-block-file", (file, changed) -> {
      assertTrue(cluster.blockFile(0, changed).delete());
      dataset().invalidate(changed.getBlockPoolId(), new Block[] {changed.getLocalBlock()});
    });
    assertInvalidates("no-meta-file", (file, changed) -> {
      assertTrue(cluster.metaFile(0, changed).delete());
      dataset().invalidate(changed.getBlockPoolId(), new Block[] {changed.getLocalBlock()});
    });
    assertInvalidates("longer-file-is-scanned", (file, changed) -> {
      Files.write(cluster.blockFile(0, changed).toPath(), new byte[1000],
          StandardOpenOption.APPEND);
      DataNodeTestUtils.runDirectoryScanner(cluster.dataNode(0));
    });
    assertInvalidates("other-stamp-is-scanned", (file, changed) -> {
      File meta = cluster.metaFile(0, changed);
      long stamp = changed.getGenerationStamp();
      Files.move(meta.toPath(), meta.toPath().resolveSibling(
          meta.getName().replace("_" + stamp, "_" + (stamp + 1))));
      DataNodeTestUtils.runDirectoryScanner(cluster.dataNode(0));
    });
    assertArrayEquals("others stay", bytes, cluster.read("/file"));
    assertEquals(1, cluster.reads(ReadOutcome.HIT));
  }

  @Test
  public void append_inProgress_olderReadersHitAndNewBytesAreNotCached() throws Exception {
    start(LocalCacheCluster.builder());
    byte[] added = LocalCacheCluster.bytes(5, 5000);
    byte[] whole = Arrays.copyOf(bytes, LENGTH + added.length);
    System.arraycopy(added, 0, whole, LENGTH, added.length);
    try (FSDataInputStream older = cluster.fs().open(new Path("/file"))) {
      try (FSDataOutputStream out = cluster.fs().append(new Path("/file"))) {
        out.write(added);
        out.hflush();
        assertReads(older);
        assertEquals(1, cluster.reads(ReadOutcome.HIT));
        for (int i = 0; i < 3; i++) {
          assertArrayEquals(whole, cluster.read("/file"));
        }
        cluster.settle();
        assertEquals("only earlier pages", block.getGenerationStamp(),
            cluster.cached(0, "/file").snapshot().generationStamp());
        assertTrue(cluster.reads(ReadOutcome.BYPASS_NOT_FINALIZED) >= 3);
      }
      cluster.awaitNoPages(0, block);
      assertReads(older);
    }
    assertArrayEquals(whole, cluster.readUntilCached("/file"));
    assertEquals("the new stamp is a new entry", cluster.block("/file").getGenerationStamp(),
        cluster.cached(0, "/file").snapshot().generationStamp());
  }

  private void assertReads(FSDataInputStream in) throws IOException {
    byte[] read = new byte[LENGTH];
    in.readFully(0, read);
    assertArrayEquals(bytes, read);
    cluster.awaitEndOfReads();
  }

  @Test
  public void truncateUnderSnapshot_bothVersionsRight() throws Exception {
    start(LocalCacheCluster.builder());
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

  /** The bytes are the same, and so is the name. */
  @Test
  public void moveToOtherVolume_pagesStayTrue() throws Exception {
    start(LocalCacheCluster.builder());
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset().getFsVolumeReferences()) {
      FsVolumeSpi to = volumes.get(0).equals(volume()) ? volumes.get(1) : volumes.get(0);
      // What mover, balancer and disk balancer do in the end.
      dataset().moveBlockAcrossVolumes(block, to);
      assertEquals(to.getStorageID(), volume().getStorageID());
    }
    assertEquals(0, cluster.metrics(0).total(Event.INVALIDATED_BLOCKS));
    Files.write(cluster.blockFile(0, block).toPath(), new byte[LENGTH]);
    assertArrayEquals(bytes, cluster.read("/file"));
    assertEquals(1, cluster.reads(ReadOutcome.HIT));
    assertEquals(0, cluster.metrics(0).errors());
  }

  /** An SSD of HDFS needs no SSD before it. */
  @Test
  public void moveToAnSsdOfHdfs_pagesGo_andReadsAreNotCached() throws Exception {
    start(LocalCacheCluster.builder().storageTypes(StorageType.DISK, StorageType.SSD));
    dataset().moveBlockAcrossStorage(block, StorageType.SSD, null);
    cluster.awaitNoPages(0, block);
    BlockStatus there = cluster.view(0).block(LocalCacheCluster.key(block));
    assertEquals("the replica is on a volume of type SSD, which is not cached", there.why());
    assertEquals(BlockStatus.Warming.State.CACHED,
        cluster.view(0).warm(LocalCacheCluster.key(block)).state());
    long before = cluster.reads(ReadOutcome.BYPASS_UNSUPPORTED);
    assertArrayEquals(bytes, cluster.read("/file"));
    assertEquals(before + 1, cluster.reads(ReadOutcome.BYPASS_UNSUPPORTED));
    cluster.settle();
    assertNull(cluster.cached(0, block));
    assertEquals("it adds no heat", there.reads(),
        cluster.view(0).block(LocalCacheCluster.key(block)).reads());
    dataset().moveBlockAcrossStorage(block, StorageType.DISK, null);
    assertArrayEquals(bytes, cluster.readUntilCached("/file"));
    assertEquals(0, cluster.metrics(0).errors());
  }

  @Test
  public void volumeRemoved_whileAReadBegins_nothingOnItIsOpened() throws Exception {
    start(LocalCacheCluster.builder());
    CachedBlock cached = cluster.cached(0, block);
    // As in BlockSender, before it fails to get a reference to the volume.
    assertTrue(cached.addReader());
    removeVolume();
    assertTrue(cached.isDead());
    assertNull(cached.keptReplica());
    cached.removeReader();
    cluster.awaitNoPages(0, block);
  }

  private void removeVolume() throws Exception {
    DataNode dataNode = cluster.dataNode(0);
    String removed = volume().getStorageLocation().toString();
    String directory = volume().toString();
    assertTrue("read", cluster.cache(0).volumeWaits().containsKey(directory));
    dataNode.reconfigureProperty(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY,
        String.join(",", DataNode.getStorageLocations(dataNode.getConf()).stream()
            .map(Object::toString).filter(name -> !name.equals(removed)).toList()));
    assertFalse("in no status", cluster.cache(0).volumeWaits().containsKey(directory));
  }

  @Test(timeout = 300_000)
  public void volumeRemovedDuringAppend_isNotHeldUp() throws Exception {
    start(LocalCacheCluster.builder());
    FSDataOutputStream out = cluster.fs().append(new Path("/file"));
    out.write(LocalCacheCluster.bytes(1, 1000));
    out.hflush();
    block = cluster.block("/file");
    assertNotNull("for earlier readers", cluster.cached(0, block).movedReplica());
    removeVolume();
    cluster.awaitNoPages(0, block);
    DFSTestUtil.abortStream((DFSOutputStream) out.getWrappedStream());
  }

  @Test
  public void volumeFailed_pagesGoWithIt() throws Exception {
    start(LocalCacheCluster.builder()
        .set(DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_KEY, 1)
        .set(DFSConfigKeys.DFS_DATANODE_DISK_CHECK_MIN_GAP_KEY, "0s"));
    File directory = new File(volume().getStorageLocation().getUri());
    DataNodeTestUtils.injectDataDirFailure(directory);
    try {
      DataNodeTestUtils.waitForDiskError(cluster.dataNode(0), volume());
      cluster.awaitNoPages(0, block);
    } finally {
      DataNodeTestUtils.restoreDataDirFromFailure(directory);
    }
  }
}

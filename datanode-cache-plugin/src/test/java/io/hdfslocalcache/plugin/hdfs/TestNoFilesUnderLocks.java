/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static io.hdfslocalcache.testing.LocalCacheCluster.await;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import io.hdfslocalcache.testing.WatchedLocks;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeAccess;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.junit.Test;

/**
 * While a lock or monitor of the DataNode is held, the local cache touches no file and waits for
 * none: a disk that hangs would hold up all reads and writes. Each operation of HDFS that changes
 * replicas is done while clients are in the middle of cached blocks.
 */
public class TestNoFilesUnderLocks extends ClusterFixture {

  private static final int LENGTH = (16 << 20) - 100;
  /** More than a socket's buffers hold, so that the DataNode waits before it needs the replica. */
  private static final int CACHED = 12 << 20;
  /** A little more than that needs. */
  private static final int CAPACITY = 20 << 20;

  /** So many that each volume gets some of them. */
  private static final int WRITES = 10;

  private void start() throws Exception {
    cluster = LocalCacheCluster.builder().blockSize(32 << 20)
        .set(LocalCacheKeys.CAPACITY, CAPACITY).start();
  }

  /** Something that is done to a file. */
  private interface Change {
    void of(Path file) throws Exception;
  }

  /**
   * Does something to a file while a client reads it.
   *
   * @param cached how much of it is cached: the read begins on pages, or fills what it misses
   * @return why the client did not get all of it, or null
   */
  private IOException failureDuring(String name, int cached, Change change) throws Exception {
    Path file = new Path("/" + name);
    byte[] bytes = cluster.write(file.toString(), LENGTH);
    ExtendedBlock block = cluster.block(file.toString());
    // On a busy machine, fills are dropped. A read that begins without pages may never get any.
    await("pages", () -> {
      cluster.pread(file.toString(), 0, cached);
      cluster.settle();
      return wholePages(block) == cached / LocalCacheCluster.PAGE;
    });
    long fromPages = cluster.metrics(0).total(Event.BYTES_HIT);
    try (RawReader reader = RawReader.begun(cluster.dataNode(0), block)) {
      change.of(file);
      cluster.settleChanges();
      try {
        assertArrayEquals(name, bytes, reader.readToEnd().bytes());
      } catch (IOException e) {
        return e;
      }
    }
    cluster.awaitEndOfReads();
    assertTrue(name, cached == 0 || cluster.metrics(0).total(Event.BYTES_HIT) > fromPages);
    return null;
  }

  private void readDuring(String name, int cached, Change change) throws Exception {
    IOException failure = failureDuring(name, cached, change);
    if (failure != null) {
      throw new IOException(name, failure);
    }
  }

  private int wholePages(ExtendedBlock block) {
    CachedBlock found = cluster.cached(0, block);
    return found == null ? 0 : found.wholePages();
  }

  private static void assertNone(WatchedLocks locks) {
    assertEquals(String.join("\n", locks.offences()), 0, locks.offences().size());
  }

  private void delete(Path file) throws IOException {
    ExtendedBlock block = cluster.block(file.toString());
    cluster.fs().delete(file, false);
    await("deletion", () -> cluster.mini().getBlockFile(0, block) == null);
  }

  private void move(Path file) throws IOException {
    cluster.move(0, cluster.block(file.toString()));
  }

  /** Evicts a file's pages by caching other blocks; a fill then drops an entry without pages. */
  private void evict(Path file) throws IOException {
    ExtendedBlock block = cluster.block(file.toString());
    cluster.write("/other", CAPACITY);
    await("eviction", () -> {
      DFSTestUtil.readFileAsBytes(cluster.fs(), new Path("/other"));
      await("fills", () -> !cluster.cache(0).isFilling());
      return cluster.cached(0, block) == null;
    });
  }

  @Test(timeout = 300_000)
  public void changesDuringAHit_readsGoOn() throws Exception {
    changesOfFiles(CACHED);
  }

  @Test(timeout = 300_000)
  public void changesDuringAFill_readsGoOn() throws Exception {
    changesOfFiles(0);
  }

  private void changesOfFiles(int cached) throws Exception {
    start();
    DistributedFileSystem fs = cluster.fs();
    try (WatchedLocks locks = new WatchedLocks()) {
      readDuring("delete", cached, this::delete);
      readDuring("evict-and-delete", cached, file -> {
        evict(file);
        delete(file);
      });
      readDuring("evict-and-append", cached, file -> {
        evict(file);
        cluster.append(file.toString(), 5000);
      });
      readDuring("append", cached, file -> {
        try (FSDataOutputStream out = fs.append(file)) {
          out.write(1);
          out.hflush();
        }
      });
      readDuring("append-thrice-and-delete", cached, file -> {
        for (int i = 0; i < 3; i++) {
          cluster.append(file.toString(), 700);
        }
        delete(file);
      });
      readDuring("delete-during-append", cached, file -> {
        FSDataOutputStream out = fs.append(file);
        out.write(LocalCacheCluster.bytes(3, 5000));
        out.hflush();
        delete(file);
        DFSTestUtil.abortStream((DFSOutputStream) out.getWrappedStream());
      });
      readDuring("recover-lease", cached, file ->
          cluster.abandonAppend(file.toString(), LocalCacheCluster.bytes(3, 7000)));
      readDuring("rename", cached, file -> fs.rename(file, new Path("/renamed")));
      readDuring("overwrite", cached, file -> {
        ExtendedBlock block = cluster.block(file.toString());
        fs.create(file, true).close();
        await("deletion", () -> cluster.mini().getBlockFile(0, block) == null);
      });
      readDuring("concat", cached, file -> {
        cluster.write("/tail", LENGTH);
        fs.concat(file, new Path[] {new Path("/tail")});
        fs.delete(file, false);
      });
      readDuring("move", cached, this::move);
      readDuring("move-and-append", cached, file -> {
        move(file);
        cluster.append(file.toString(), 5000);
      });
      readDuring("move-and-delete", cached, file -> {
        move(file);
        delete(file);
      });
      readDuring("clear-and-delete", cached, file -> {
        ExtendedBlock block = cluster.block(file.toString());
        cluster.view(0).clear(LocalCacheCluster.key(block), "test");
        delete(file);
      });
      // Without a local cache, too, a client may or may not fail then.
      failureDuring("truncate", cached, file -> {
        fs.truncate(file, LENGTH / 2 + 1);
        await("truncation", () -> fs.isFileClosed(file));
      });
      failureDuring("scan", cached, file -> {
        File block = cluster.blockFile(0, cluster.block(file.toString()));
        assertTrue(block.delete());
        DataNodeTestUtils.runDirectoryScanner(cluster.dataNode(0));
      });
      failureDuring("missing", cached, file -> {
        ExtendedBlock block = cluster.block(file.toString());
        assertTrue(cluster.blockFile(0, block).delete());
        cluster.dataNode(0).getFSDataset()
            .invalidate(block.getBlockPoolId(), new Block[] {block.getLocalBlock()});
      });
      assertNone(locks);
    }
  }

  /** The files that it fills from are open, as those of a read without a local cache. */
  @Test(timeout = 300_000)
  public void filesMissing_duringAFillThatIsTurnedOff_readGoesOn() throws Exception {
    start();
    byte[] bytes = cluster.write("/file", LENGTH);
    ExtendedBlock block = cluster.block("/file");
    RawReader begun = RawReader.begun(cluster.dataNode(0), block);
    while (cluster.cached(0, block) == null) {
      // On a busy machine, fills are dropped, or late: one of a former reader is none of this one.
      begun.close();
      cluster.settle();
      cluster.view(0).clearAll("test");
      begun = RawReader.begun(cluster.dataNode(0), block);
    }
    try (RawReader reader = begun) {
      assertTrue(cluster.blockFile(0, block).delete());
      assertTrue(cluster.metaFile(0, block).delete());
      cluster.interceptor(0).onOff().setOn(false, "by the test");
      assertArrayEquals(bytes, reader.readToEnd().bytes());
    }
    assertEquals(0, cluster.metrics(0).errors());
  }

  @Test(timeout = 300_000)
  public void volumeRemoved_readGoesOn() throws Exception {
    start();
    // Waits for the reader, as without a local cache.
    FutureTask<Void> removal = new FutureTask<>(this::removeVolume);
    try (WatchedLocks locks = new WatchedLocks()) {
      readDuring("file", CACHED, file -> new Thread(removal).start());
      removal.get(60, TimeUnit.SECONDS);
      cluster.awaitNoPages(0, cluster.block("/file"));
      assertNone(locks);
    }
  }

  /** Otherwise it could not be unmounted after its removal. */
  @Test(timeout = 300_000)
  public void volumeRemovedDuringAFill_waitsForIt() throws Exception {
    start();
    cluster.write("/file", LENGTH);
    ExtendedBlock block = cluster.block("/file");
    FsVolumeImpl volume =
        (FsVolumeImpl) cluster.dataNode(0).getFSDataset().getVolume(block);
    ReplicaAccess replicas = new DatasetReplicaAccess(cluster.dataNode(0));
    ReplicaSnapshot snapshot = replicas.finalized(LocalCacheCluster.key(block));
    await("the end of the write", () -> volume.getReferenceCount() == 0);
    FutureTask<Void> removal = new FutureTask<>(this::removeVolume);
    ReplicaFiles files = replicas.open(snapshot);
    try {
      assertTrue(files.retain());
      files.close();
      assertEquals(1, volume.getReferenceCount());
      new Thread(removal).start();
      await("the beginning of the removal", () -> {
        try {
          replicas.open(snapshot).close();
          return false;
        } catch (ClosedChannelException e) {
          return true;
        }
      });
      assertFalse(removal.isDone());
    } finally {
      files.close();
    }
    removal.get(60, TimeUnit.SECONDS);
  }

  private Void removeVolume() throws Exception {
    DataNode dataNode = cluster.dataNode(0);
    String removed = dataNode.getFSDataset().getVolume(cluster.block("/file"))
        .getStorageLocation().toString();
    String others = String.join(",", DataNode.getStorageLocations(dataNode.getConf()).stream()
        .map(Object::toString).filter(name -> !name.equals(removed)).toList());
    dataNode.reconfigureProperty(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, others);
    return null;
  }

  @Test(timeout = 300_000)
  public void blockPoolRemovedAndDeleted_readGoesOn() throws Exception {
    cluster = LocalCacheCluster.builder().blockSize(32 << 20)
        .topology(MiniDFSNNTopology.simpleFederatedTopology(2)).start();
    Path file = new Path("/file");
    byte[] bytes = LocalCacheCluster.bytes(1, LENGTH);
    DistributedFileSystem fs = cluster.mini().getFileSystem(0);
    DFSTestUtil.writeFile(fs, file, bytes);
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(0, new byte[CACHED]);
    }
    cluster.settle();
    ExtendedBlock block = DFSTestUtil.getAllBlocks(fs, file).get(0).getBlock();
    assertNotNull(cluster.cached(0, block));
    try (WatchedLocks locks = new WatchedLocks();
        RawReader reader = RawReader.begun(cluster.dataNode(0), block)) {
      Configuration conf = new Configuration(cluster.mini().getConfiguration(1));
      conf.set(DFSConfigKeys.DFS_NAMESERVICES, conf.get(DFSConfigKeys.DFS_NAMESERVICE_ID));
      DataNodeAccess.refreshNamenodes(cluster.dataNode(0), conf);
      cluster.awaitNoPages(0, block);
      File blockFile = cluster.mini().getBlockFile(0, block);
      cluster.dataNode(0).deleteBlockPool(block.getBlockPoolId(), true);
      assertFalse(blockFile.exists());
      assertArrayEquals(bytes, reader.readToEnd().bytes());
      assertNone(locks);
    }
    assertEquals(0, cluster.metrics(0).errors());
  }

  @Test(timeout = 300_000)
  public void delete_openHangs_nobodyElseWaits() throws Exception {
    start();
    cluster.write("/other", LENGTH);
    cluster.write("/held", LENGTH);
    ExtendedBlock block = cluster.block("/held");
    cluster.pread("/held", 0, CACHED);
    cluster.settle();
    File file = cluster.blockFile(0, block);
    try (RawReader reader = RawReader.begun(cluster.dataNode(0), block)) {
      Files.delete(file.toPath());
      // Opening it for reading blocks until it is opened for writing.
      assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
      cluster.fs().delete(new Path("/held"), false);
      DataNodeTestUtils.triggerHeartbeat(cluster.dataNode(0));
      await("the open that hangs", TestNoFilesUnderLocks::isInOpen);
      inTime(() -> DFSTestUtil.readFileAsBytes(cluster.fs(), new Path("/other")));
      for (int i = 0; i < WRITES; i++) {
        String path = "/new" + i;
        inTime(() -> cluster.write(path, 100));
      }
      inTime(() -> {
        DataNodeTestUtils.triggerBlockReport(cluster.dataNode(0));
        return null;
      });
      inTime(() -> cluster.fs().delete(new Path("/other"), false));
    } finally {
      new FileOutputStream(file).close();
    }
  }

  private static boolean isInOpen() {
    return Thread.getAllStackTraces().values().stream().map(List::of).anyMatch(
        stack -> stack.stream().anyMatch(frame -> frame.getMethodName().equals("open0"))
            && stack.stream().anyMatch(
                frame -> frame.getClassName().startsWith("io.hdfslocalcache.plugin.")));
  }

  /** Tests whether it ends, not how long it takes. */
  private static void inTime(Callable<?> task) throws Exception {
    FutureTask<?> future = new FutureTask<>(task);
    Thread thread = new Thread(future);
    thread.setDaemon(true);
    thread.start();
    future.get(60, TimeUnit.SECONDS);
  }
}

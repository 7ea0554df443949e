/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Every way in which a cached replica stops being true leaves no page and no stale byte. */
public class TestInvalidation {

  private static final int LENGTH = 300_000;

  private LocalCacheCluster cluster;

  @Before
  public void start() throws Exception {
    cluster = LocalCacheCluster.builder().start();
  }

  @After
  public void stop() {
    cluster.close();
  }

  @Test
  public void delete_removesPagesFromDisk() throws Exception {
    cluster.write("/deleted", LENGTH);
    cluster.readUntilCached("/deleted");
    ExtendedBlock block = cluster.block("/deleted");
    int pages = cluster.pageFiles(block).size();
    assertTrue(pages > 0);
    cluster.fs().delete(new Path("/deleted"), false);
    cluster.awaitNoPages(0, block);
    cluster.settle();
    assertEquals(1, cluster.metrics(0).total(Event.INVALIDATED_BLOCKS));
    assertEquals(pages, cluster.metrics(0).total(Event.INVALIDATED_PAGES));
    assertEquals("nothing was evicted", 0, cluster.metrics(0).total(Event.EVICTIONS));
  }

  @Test
  public void append_neverStale_newStampIsNewEntry() throws Exception {
    byte[] before = cluster.write("/grown", LENGTH);
    cluster.readUntilCached("/grown");
    ExtendedBlock old = cluster.block("/grown");
    byte[] added = cluster.append("/grown", 1234);
    byte[] whole = concat(before, added);
    long hits = cluster.reads(ReadOutcome.HIT);
    assertArrayEquals(whole, cluster.read("/grown"));
    assertEquals("the first read after an append is no hit", hits, cluster.reads(ReadOutcome.HIT));
    cluster.settle();
    ExtendedBlock grown = cluster.block("/grown");
    assertNotEquals(old.getGenerationStamp(), grown.getGenerationStamp());
    assertEquals(grown.getGenerationStamp(),
        cluster.cached(0, "/grown").snapshot().generationStamp());
    assertEquals(0, cluster.pageFiles("_" + old.getGenerationStamp() + "_").size());
    assertArrayEquals(whole, cluster.read("/grown"));
    assertEquals(hits + 1, cluster.reads(ReadOutcome.HIT));
  }

  @Test
  public void append_inProgress_newBytesAreNotCached() throws Exception {
    byte[] before = cluster.write("/growing", LENGTH);
    cluster.readUntilCached("/growing");
    ExtendedBlock old = cluster.block("/growing");
    try (FSDataOutputStream out = cluster.fs().append(new Path("/growing"))) {
      byte[] added = LocalCacheCluster.bytes(5, 5000);
      out.write(added);
      out.hflush();
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(concat(before, added), cluster.read("/growing"));
      }
      cluster.settle();
      assertEquals("no page but those of before", old.getGenerationStamp(),
          cluster.cached(0, "/growing").snapshot().generationStamp());
      assertTrue(cluster.reads(ReadOutcome.BYPASS_NOT_FINALIZED) >= 3);
    }
    awaitNoPagesBut("/growing");
  }

  private void awaitNoPagesBut(String path) throws Exception {
    long stamp = cluster.block(path).getGenerationStamp();
    LocalCacheCluster.await("removal of old pages", () -> {
      try {
        return cluster.pageFiles("").stream()
            .allMatch(file -> file.toString().contains("_" + stamp + "_"));
      } catch (java.io.IOException | java.io.UncheckedIOException e) {
        return false;
      }
    });
  }

  @Test
  public void append_inProgress_olderReaderKeepsItsSnapshot() throws Exception {
    byte[] before = cluster.write("/snapshot", LENGTH);
    try (FSDataInputStream reader = cluster.fs().open(new Path("/snapshot"))) {
      cluster.readUntilCached("/snapshot");
      try (FSDataOutputStream out = cluster.fs().append(new Path("/snapshot"))) {
        out.write(LocalCacheCluster.bytes(5, 5000));
        out.hflush();
        long hits = cluster.reads(ReadOutcome.HIT);
        byte[] bytes = new byte[LENGTH];
        reader.readFully(0, bytes);
        assertArrayEquals(before, bytes);
        cluster.awaitEndOfReads();
        assertEquals(hits + 1, cluster.reads(ReadOutcome.HIT));
      }
      cluster.settle();
      assertEquals("gone when the append is done", 0, cluster.pageFiles("").size());
      byte[] bytes = new byte[LENGTH];
      reader.readFully(0, bytes);
      assertArrayEquals(before, bytes);
    }
  }

  @Test
  public void truncate_neverStale() throws Exception {
    byte[] before = cluster.write("/cut", LENGTH);
    cluster.readUntilCached("/cut");
    ExtendedBlock old = cluster.block("/cut");
    int length = LENGTH - 10_001;
    cluster.fs().truncate(new Path("/cut"), length);
    LocalCacheCluster.await("truncation", () -> isLength("/cut", length));
    assertArrayEquals(Arrays.copyOf(before, length), cluster.read("/cut"));
    cluster.settle();
    assertEquals(0, cluster.pageFiles("_" + old.getGenerationStamp() + "_").size());
    assertArrayEquals(Arrays.copyOf(before, length), cluster.read("/cut"));
    assertEquals(length, cluster.cached(0, "/cut").snapshot().length());
  }

  private boolean isLength(String path, long length) {
    try {
      return cluster.fs().getFileStatus(new Path(path)).getLen() == length
          && cluster.fs().isFileClosed(new Path(path));
    } catch (java.io.IOException e) {
      return false;
    }
  }

  @Test
  public void volumeRemoved_removesPagesFromDisk() throws Exception {
    cluster.write("/moved", LENGTH);
    cluster.readUntilCached("/moved");
    ExtendedBlock block = cluster.block("/moved");
    assertNotNull(cluster.cached(0, block));
    removeVolumeOf(block);
    cluster.awaitNoPages(0, block);
  }

  @Test
  public void volumeRemoved_whileAReadBegins_nothingOnItIsOpened() throws Exception {
    cluster.write("/begun", LENGTH);
    cluster.readUntilCached("/begun");
    ExtendedBlock block = cluster.block("/begun");
    CachedBlock cached = cluster.cached(0, block);
    // As BlockSender before it asks for a reference to the volume, which it will not get.
    assertTrue(cached.addReader());
    removeVolumeOf(block);
    assertTrue(cached.isDead());
    assertNull(cached.keptReplica());
    cached.removeReader();
  }

  private void removeVolumeOf(ExtendedBlock block) throws Exception {
    DataNode dataNode = cluster.dataNode(0);
    String removed = dataNode.getFSDataset().getVolume(block).getStorageLocation().toString();
    String others = String.join(",", DataNode.getStorageLocations(dataNode.getConf()).stream()
        .map(Object::toString).filter(name -> !name.equals(removed)).toList());
    dataNode.reconfigureProperty(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, others);
  }

  @Test(timeout = 300_000)
  public void volumeRemovedDuringAppend_isNotHeldUp() throws Exception {
    cluster.write("/open", LENGTH);
    cluster.readUntilCached("/open");
    FSDataOutputStream out = cluster.fs().append(new Path("/open"));
    out.write(LocalCacheCluster.bytes(1, 1000));
    out.hflush();
    ExtendedBlock block = cluster.block("/open");
    assertNotNull("for readers of before", cluster.cached(0, block).movedReplica());
    removeVolumeOf(block);
    cluster.awaitNoPages(0, block);
    DFSTestUtil.abortStream((DFSOutputStream) out.getWrappedStream());
  }

  @Test
  public void blockFileMissing_scanRemovesPages() throws Exception {
    cluster.write("/lost", LENGTH);
    cluster.readUntilCached("/lost");
    ExtendedBlock block = cluster.block("/lost");
    assertTrue(cluster.blockFile(0, block).delete());
    cluster.dataNode(0).getFSDataset()
        .invalidateMissingBlock(block.getBlockPoolId(), block.getLocalBlock());
    cluster.awaitNoPages(0, block);
  }

  private static byte[] concat(byte[] a, byte[] b) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(a);
    out.write(b);
    return out.toByteArray();
  }
}

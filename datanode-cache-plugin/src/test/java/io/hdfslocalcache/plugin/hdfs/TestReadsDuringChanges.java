/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.IOException;
import java.io.UncheckedIOException;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * A read that began on pages and comes to need the replica, when the replica is no longer what or
 * where it was: it ends as it would have without a local cache.
 */
public class TestReadsDuringChanges {

  private static final int LENGTH = (16 << 20) - 100;
  /** More than a socket's buffers hold, so that the DataNode waits before it needs the replica. */
  private static final int CACHED = 12 << 20;
  /** A little more than that takes. */
  private static final int CAPACITY = 20 << 20;

  private LocalCacheCluster cluster;
  private byte[] bytes;
  private ExtendedBlock block;

  @Before
  public void start() throws Exception {
    cluster = LocalCacheCluster.builder().blockSize(32 << 20)
        .set(LocalCacheKeys.CAPACITY, CAPACITY).start();
    bytes = cluster.write("/file", LENGTH);
    block = cluster.block("/file");
    cluster.pread("/file", 0, CACHED);
    cluster.settle();
    assertEquals(CACHED / LocalCacheCluster.PAGE, cluster.cached(0, block).pages());
  }

  @After
  public void stop() {
    cluster.close();
  }

  /** Begins to read the whole block from its pages, and lets the DataNode wait. */
  private RawReader begin() throws Exception {
    return RawReader.begun(cluster.dataNode(0), block);
  }

  private void assertReadsOn(RawReader reader) throws Exception {
    assertArrayEquals(bytes, reader.readToEnd().bytes());
    cluster.awaitEndOfReads();
    assertEquals(1, cluster.reads(ReadOutcome.PARTIAL_HIT));
  }

  @Test
  public void delete_readInProgressGoesOn() throws Exception {
    try (RawReader reader = begin()) {
      cluster.fs().delete(new Path("/file"), false);
      LocalCacheCluster.await("deletion", () -> cluster.mini().getBlockFile(0, block) == null);
      cluster.settleChanges();
      assertReadsOn(reader);
    }
  }

  /** As long as other blocks need the room; afterwards a fill drops entries without pages. */
  private void evict() throws Exception {
    cluster.write("/other", CAPACITY);
    LocalCacheCluster.await("eviction", () -> {
      try {
        DFSTestUtil.readFileAsBytes(cluster.fs(), new Path("/other"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      LocalCacheCluster.await("fills", () -> cluster.cache(0).fills().isIdle());
      return cluster.cached(0, block) == null;
    });
  }

  @Test
  public void evictThenDelete_readInProgressGoesOn() throws Exception {
    try (RawReader reader = begin()) {
      evict();
      cluster.fs().delete(new Path("/file"), false);
      LocalCacheCluster.await("deletion", () -> cluster.mini().getBlockFile(0, block) == null);
      cluster.settleChanges();
      assertArrayEquals(bytes, reader.readToEnd().bytes());
    }
  }

  @Test
  public void evictThenAppend_readInProgressGoesOnWithTheOldBytes() throws Exception {
    try (RawReader reader = begin()) {
      evict();
      cluster.append("/file", 5000);
      cluster.settleChanges();
      assertArrayEquals(bytes, reader.readToEnd().bytes());
    }
  }

  @Test
  public void evict_readInProgressEnds_nothingIsLeft() throws Exception {
    BlockKey key = LocalCacheCluster.key(block);
    try (RawReader reader = begin()) {
      evict();
      assertArrayEquals(bytes, reader.readToEnd().bytes());
    }
    cluster.settle();
    evict();
    assertNull(cluster.cache(0).index().get(key));
  }

  @Test
  public void clearThenDelete_readInProgressGoesOn() throws Exception {
    try (RawReader reader = begin()) {
      BlockKey key = LocalCacheCluster.key(block);
      assertEquals(CACHED / LocalCacheCluster.PAGE, cluster.cache(0).view().clear(key, "test"));
      cluster.fs().delete(new Path("/file"), false);
      LocalCacheCluster.await("deletion", () -> cluster.mini().getBlockFile(0, block) == null);
      cluster.settleChanges();
      assertReadsOn(reader);
    }
  }

  @Test
  public void append_readInProgressGoesOnWithTheOldBytes() throws Exception {
    try (RawReader reader = begin()) {
      try (FSDataOutputStream out = cluster.fs().append(new Path("/file"))) {
        out.write(LocalCacheCluster.bytes(1, 5000));
        out.hflush();
        cluster.settleChanges();
        assertReadsOn(reader);
      }
    }
  }

  @Test
  public void appendAndClose_readInProgressGoesOnWithTheOldBytes() throws Exception {
    try (RawReader reader = begin()) {
      cluster.append("/file", 5000);
      cluster.settleChanges();
      assertReadsOn(reader);
    }
  }
}

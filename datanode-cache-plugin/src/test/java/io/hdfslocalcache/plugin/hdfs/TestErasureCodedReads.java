/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static io.hdfslocalcache.testing.ErasureCodedCluster.BLOCK;
import static io.hdfslocalcache.testing.ErasureCodedCluster.CELL;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.ErasureCodedCluster.InternalBlock;
import io.hdfslocalcache.testing.ErasureCodedCluster.Sent;
import io.hdfslocalcache.testing.ErasureCodedCluster;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * What unmodified clients get of files with the policy {@code RS-3-2-1024k}. For a DataNode, an
 * internal block is like any other block, whatever the policy.
 */
public class TestErasureCodedReads {

  private static final int PAGE = LocalCacheCluster.PAGE;
  /** More than a cell, and no multiple of a chunk. */
  private static final int TAIL = CELL + 12_345;
  private static ErasureCodedCluster striped;
  private static LocalCacheCluster cluster;
  /** Errors before a test: another test damages replicas. */
  private long errors;

  @BeforeClass
  public static void start() throws Exception {
    striped = ErasureCodedCluster.start(
        "RS-3-2-1024k", LocalCacheCluster.builder().dataNodes(5));
    cluster = striped.cluster();
  }

  @AfterClass
  public static void stop() {
    striped.close();
  }

  @Before
  public void noteErrors() {
    errors = striped.errors();
  }

  /** A DataNode that was restarted counts from 0 again. */
  private void assertNoNewErrors() {
    assertTrue(striped.errors() + " errors, before " + errors, striped.errors() <= errors);
  }

  /** A whole group, and one whose internal blocks have different lengths. */
  private static byte[] write(String path) throws Exception {
    return cluster.write(path, striped.data() * BLOCK + striped.stripe() + TAIL);
  }

  private static byte[] writeAndCache(String path) throws Exception {
    byte[] bytes = write(path);
    cache(path, bytes);
    return bytes;
  }

  private static void cache(String path, byte[] bytes) throws Exception {
    for (int i = 0; i < 2; i++) {
      assertArrayEquals(bytes, cluster.readUntilCached(path));
    }
  }

  /** Reads a file; all of its bytes have to come from local caches. */
  private static void assertReadFromLocalCaches(String path, byte[] bytes) throws Exception {
    Sent before = striped.sent();
    assertArrayEquals(bytes, cluster.read(path));
    assertEquals(path, 0, striped.sent().since(before).fromDisk());
  }

  @Test
  public void wholeFile_comesFromLocalCachesOfItsDataAlone() throws Exception {
    byte[] bytes = writeAndCache("/whole");
    Sent before = striped.sent();
    assertArrayEquals(bytes, cluster.read("/whole"));
    assertEquals(new Sent(bytes.length, 0), striped.sent().since(before));
    assertEquals(2, striped.groups("/whole").size());
    for (LocatedBlock group : striped.groups("/whole")) {
      for (InternalBlock each : striped.internalBlocks(group)) {
        int pages = (int) ((each.block().getNumBytes() + PAGE - 1) / PAGE);
        assertEquals(each.toString(), each.index() < striped.data() ? pages : 0,
            striped.cachedPages(each));
      }
    }
    assertNoNewErrors();
  }

  @Test
  public void preads_acrossCellsStripesAndGroups_hitWithRightBytes() throws Exception {
    long seed = System.nanoTime();
    System.out.println("Seed of the preads: " + seed);
    Random random = new Random(seed);
    byte[] bytes = write("/preads");
    // The first half meets an empty local cache, and partly filled ones.
    preads(bytes, random, 20);
    cache("/preads", bytes);
    Sent before = striped.sent();
    long read = preads(bytes, random, 40);
    Sent sent = striped.sent().since(before);
    assertEquals("seed " + seed, 0, sent.fromDisk());
    assertTrue("seed " + seed + ": " + sent + " of " + read, sent.fromLocalCache() >= read);
    assertNoNewErrors();
  }

  private static long preads(byte[] bytes, Random random, int count) throws Exception {
    int[] longest = {CELL / 8, 2 * CELL, striped.stripe() + CELL, bytes.length};
    long read = 0;
    for (int i = 0; i < count; i++) {
      int length = 1 + random.nextInt(longest[i % longest.length]);
      int offset = random.nextInt(bytes.length - length + 1);
      assertArrayEquals(offset + " + " + length,
          Arrays.copyOfRange(bytes, offset, offset + length),
          cluster.pread("/preads", offset, length));
      read += length;
    }
    return read;
  }

  @Test
  public void dataNodesDown_readsAreRightAndHitToo() throws Exception {
    byte[] cached = writeAndCache("/down");
    byte[] cold = write("/cold");
    List<DataNodeProperties> down = new ArrayList<>();
    try {
      for (int i = 0; i < striped.parity(); i++) {
        // Every one of them has data of the first group.
        down.add(cluster.mini().stopDataNode(striped.internalBlock("/down", i).dataNode()));
        assertArrayEquals("down: " + down.size(), cached, cluster.read("/down"));
        assertArrayEquals("down: " + down.size(), cold, cluster.read("/cold"));
        assertArrayEquals(Arrays.copyOfRange(cached, 1000, 1000 + 2 * CELL),
            cluster.pread("/down", 1000, 2 * CELL));
      }
      cache("/down", cached);
      assertReadFromLocalCaches("/down", cached);
      assertNoNewErrors();
    } finally {
      cluster.start(down.toArray(DataNodeProperties[]::new));
    }
    assertArrayEquals(cold, cluster.read("/cold"));
    // Its pages are there again.
    assertReadFromLocalCaches("/down", cached);
  }

  @Test
  public void corruptCell_neverCached_isDecodedAndNeverCached() throws Exception {
    byte[] bytes = write("/corrupt");
    InternalBlock corrupt = striped.internalBlock("/corrupt", 1);
    striped.corrupt(corrupt);
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(bytes, cluster.readUntilCached("/corrupt"));
    }
    var cached = cluster.cached(corrupt.dataNode(), corrupt.block());
    assertTrue("the damaged page is cached",
        cached == null || cached.parts(CELL / 2 / PAGE) == 0);
  }

  @Test
  public void reconstruction_isNeitherCountedNorCachedNorStale() throws Exception {
    // One internal block with data, so that there are DataNodes left to reconstruct it.
    byte[] bytes = cluster.write("/rebuilt", CELL - 777);
    cache("/rebuilt", bytes);
    InternalBlock lost = striped.internalBlock("/rebuilt", 0);
    DataNodeProperties down = cluster.mini().stopDataNode(lost.dataNode());
    long clients = striped.clientReads();
    long others = striped.reads(ReadOutcome.BYPASS_NOT_CLIENT);
    try {
      cluster.mini().setDataNodeDead(down.getDatanode().getDatanodeId());
      LocalCacheCluster.await("reconstruction", () -> where(lost) != null);
      cluster.settle();
      InternalBlock rebuilt = where(lost);
      assertEquals(lost.block(), rebuilt.block());
      assertEquals(clients, striped.clientReads());
      assertTrue(striped.reads(ReadOutcome.BYPASS_NOT_CLIENT) > others);
      assertEquals(0, striped.cachedPages(rebuilt));
      // Served by the replica that was rebuilt, first from the disk and then from its own pages.
      cache("/rebuilt", bytes);
      assertReadFromLocalCaches("/rebuilt", bytes);
      assertTrue(striped.cachedPages(rebuilt) > 0);
    } finally {
      cluster.start(down);
    }
    cluster.mini().triggerBlockReports();
    // One of the two is deleted, and its pages with it.
    LocalCacheCluster.await("one replica and its pages", () -> striped.holders(lost) == 1);
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(bytes, cluster.readUntilCached("/rebuilt"));
    }
    assertEquals(1, striped.holders(lost));
  }

  /** @return an internal block of the file that is reconstructed, where it is now, or null. */
  private static InternalBlock where(InternalBlock lost) throws IOException {
    return striped.internalBlocks(striped.groups("/rebuilt").get(0)).stream()
        .filter(each -> each.index() == lost.index()).findFirst().orElse(null);
  }
}

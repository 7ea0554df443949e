/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static io.hdfslocalcache.testing.ErasureCodedCluster.BLOCK;
import static io.hdfslocalcache.testing.ErasureCodedCluster.CELL;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.trace.ReadTrace;
import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.plugin.trace.TracedReads;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.testing.ErasureCodedCluster.InternalBlock;
import io.hdfslocalcache.testing.ErasureCodedCluster.Sent;
import io.hdfslocalcache.testing.ErasureCodedCluster;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * What unmodified clients get of files with the policy {@code RS-3-2-1024k}, and what is counted of
 * their reads. For a DataNode, an internal block is a block as any other, whatever the policy.
 */
public class TestErasureCodedReads {

  private static final int PAGE = LocalCacheCluster.PAGE;
  /** More than a cell, and no multiple of a chunk. */
  private static final int TAIL = CELL + 12_345;

  /** Bytes of data in a packet, about. */
  private static final int PACKET = 64 << 10;
  /** Bytes of an internal block that are more than the buffers of a socket hold. */
  private static final int LARGE = 8 << 20;

  @ClassRule
  public static final TemporaryFolder TRACES = new TemporaryFolder();

  /** Admits everything, and sums up what it is told. */
  public static final class Recorder implements CacheRateLimiter {
    private static final AtomicLong READS = new AtomicLong();
    private static final AtomicLong BYTES = new AtomicLong();

    public Recorder(RateLimiterConfig config, RateLimiterClock clock) {
    }

    @Override
    public void record(String blockPoolId, long blockId, long bytes) {
      READS.incrementAndGet();
      BYTES.addAndGet(bytes);
    }

    @Override
    public boolean admits(String blockPoolId, long blockId) {
      return true;
    }
  }

  private static ErasureCodedCluster striped;
  private static LocalCacheCluster cluster;
  /** A damaged replica is one, and another test makes some. */
  private long errors;

  @BeforeClass
  public static void start() throws Exception {
    striped = ErasureCodedCluster.start("RS-3-2-1024k", LocalCacheCluster.builder().dataNodes(5)
        .set(RateLimiterFactory.CLASS_KEY, Recorder.class.getName())
        .set(LocalCacheKeys.TRACE_DIRECTORY, TRACES.getRoot()));
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

  /** Reads a file, all of whose bytes have to come from local caches. */
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
      for (DataNodeProperties each : down) {
        cluster.mini().restartDataNode(each, true);
      }
      cluster.mini().waitActive();
      cluster.settle();
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
      // By the replica that was rebuilt, first from the disk and then from its own pages.
      cache("/rebuilt", bytes);
      assertReadFromLocalCaches("/rebuilt", bytes);
      assertTrue(striped.cachedPages(rebuilt) > 0);
    } finally {
      cluster.mini().restartDataNode(down, true);
      cluster.mini().waitActive();
      cluster.settle();
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

  /** What was counted of some reads. */
  private record Counted(long reads, long asked, long sent, List<TracedRead> traced) {
  }

  private interface Reading {
    void read() throws Exception;
  }

  private static Counted counted(Reading reading) throws Exception {
    for (File old : TRACES.getRoot().listFiles()) {
      assertTrue(old.delete());
    }
    List<ReadTrace> traces = dataNodes().mapToObj(i -> cluster.interceptor(i).trace()).toList();
    long before = traced();
    long reads = Recorder.READS.get();
    long bytes = Recorder.BYTES.get();
    Sent sent = striped.sent();
    traces.forEach(trace -> trace.start(1, false));
    reading.read();
    cluster.settle();
    Sent after = striped.sent().since(sent);
    long begun = Recorder.READS.get() - reads;
    LocalCacheCluster.await("all reads are traced", () -> traced() - before == begun);
    traces.forEach(ReadTrace::stop);
    return new Counted(begun, Recorder.BYTES.get() - bytes,
        after.fromLocalCache() + after.fromDisk(), TracedReads.in(TRACES.getRoot().toPath()));
  }

  private static IntStream dataNodes() {
    return IntStream.range(0, cluster.mini().getDataNodes().size());
  }

  private static long traced() {
    return dataNodes().mapToLong(i -> cluster.metrics(i).total(Event.TRACED_READS)).sum();
  }

  /** The client asks each DataNode for as much as it wants from one of them. */
  @Test
  public void pread_isCountedOnEachDataNodeThatItReadsFrom_byWhatWasSent() throws Exception {
    byte[] bytes = write("/counted");
    int offset = CELL - 1000;
    int length = CELL + 3000;
    Counted counted = counted(() -> assertArrayEquals(
        Arrays.copyOfRange(bytes, offset, offset + length),
        cluster.pread("/counted", offset, length)));
    assertEquals(3, counted.reads());
    assertTrue(counted.toString(), counted.sent() >= length);
    assertTrue(counted.toString(), counted.sent() <= counted.asked());
    assertEquals(
        counted.sent(), counted.traced().stream().mapToLong(TracedRead::length).sum());
    assertEquals(3, counted.traced().stream().map(TracedRead::blockId).distinct().count());
  }

  /**
   * HDFS clients before HDFS-16520 ask for the rest of an internal block with every pread, as all
   * clients do with stateful reads, and close when they have what they want.
   */
  @Test
  public void clientThatAsksForTheRestOfTheBlock_isCountedByWhatWasSent() throws Exception {
    byte[] bytes = LocalCacheCluster.bytes(0, striped.data() * LARGE);
    try (FSDataOutputStream out =
        cluster.fs().create(new Path("/asked"), true, 4096, (short) 1, LARGE)) {
      out.write(bytes);
    }
    InternalBlock block = striped.internalBlock("/asked", 1);
    int wanted = 30_000;
    Counted counted = counted(() -> {
      try (RawReader reader =
          new RawReader(cluster.dataNode(block.dataNode()), block.block(), "old", 0, LARGE)) {
        while (reader.bytes().length < wanted) {
          reader.next();
        }
        assertArrayEquals(Arrays.copyOfRange(bytes, CELL, CELL + wanted),
            Arrays.copyOf(reader.bytes(), wanted));
      }
    });
    assertEquals("one read, whatever it asks for", 1, counted.reads());
    assertEquals(LARGE, counted.asked());
    long sent = counted.traced().get(0).length();
    assertTrue("sent " + sent, sent >= wanted && sent < LARGE);
    // Of the packet that was cut off, metrics count what was sent, and pages may be filled.
    long most = sent + 2 * PACKET;
    assertTrue(counted.toString(), counted.sent() >= sent && counted.sent() <= most);
    long cached = (long) striped.cachedPages(block) * LocalCacheCluster.PAGE;
    assertTrue("cached " + cached + " of " + sent, cached <= most);
  }
}

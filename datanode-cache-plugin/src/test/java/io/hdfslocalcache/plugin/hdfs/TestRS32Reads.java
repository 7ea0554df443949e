/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static io.hdfslocalcache.testing.ErasureCodedCluster.CELL;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.trace.ReadTrace;
import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.plugin.trace.TracedReads;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.testing.ErasureCodedCluster.InternalBlock;
import io.hdfslocalcache.testing.ErasureCodedCluster.Sent;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Reads of files with the policy {@code RS-3-2-1024k}, and what is counted of them. */
public class TestRS32Reads extends ErasureCodedReads {

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

  @BeforeClass
  public static void start() throws Exception {
    start("RS-3-2-1024k", LocalCacheCluster.builder().dataNodes(5)
        .set(RateLimiterFactory.CLASS_KEY, Recorder.class.getName())
        .set(LocalCacheKeys.TRACE_DIRECTORY, TRACES.getRoot()));
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

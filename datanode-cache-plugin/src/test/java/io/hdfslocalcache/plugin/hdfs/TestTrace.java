/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.plugin.trace.TracedReads;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The trace of real reads. */
public class TestTrace {

  private static final int LENGTH = 300_000;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void reads_areTracedWithWhatBecameOfThem() throws Exception {
    ExtendedBlock block;
    long before = System.currentTimeMillis();
    try (LocalCacheCluster cluster = traced().start()) {
      startTrace(cluster);
      cluster.write("/file", LENGTH);
      block = cluster.block("/file");
      cluster.readUntilCached("/file");
      long misses = cluster.reads(ReadOutcome.MISS_ADMITTED);
      assertTrue(misses > 0);
      cluster.pread("/file", 100_000, 1000);
      cluster.interceptor(0).onOff().setOn(false, "test");
      cluster.pread("/file", 5, 7);
      cluster.awaitEndOfReads();
      // A read is counted as ended before it is in the trace.
      LocalCacheCluster.await("all reads are traced", () -> misses
          + cluster.reads(ReadOutcome.HIT) + cluster.reads(ReadOutcome.PARTIAL_HIT) + 1
          == cluster.metrics(0).total(Event.TRACED_READS));
    }
    List<TracedRead> reads = reads();
    assertEquals(ReadOutcome.MISS_ADMITTED, reads.get(0).outcome());
    assertEquals(0, reads.get(0).offset());
    assertEquals(LENGTH, reads.get(0).length());
    TracedRead hit = reads.get(reads.size() - 2);
    assertEquals(ReadOutcome.HIT, hit.outcome());
    assertEquals(100_000, hit.offset());
    assertEquals(1000, hit.length());
    TracedRead off = reads.get(reads.size() - 1);
    assertEquals(ReadOutcome.BYPASS_OFF, off.outcome());
    assertEquals(5, off.offset());
    assertEquals(7, off.length());
    long now = System.currentTimeMillis();
    for (TracedRead read : reads) {
      assertEquals(block.getBlockPoolId(), read.blockPoolId());
      assertEquals(block.getBlockId(), read.blockId());
      assertEquals(block.getGenerationStamp(), read.generationStamp());
      assertEquals(LENGTH, read.replicaBytes());
      assertEquals("127.0.0.1", read.reader());
      assertTrue(read.startMillis() >= before && read.startMillis() <= now);
      assertTrue(read.durationMicros() >= 0);
    }
  }

  @Test
  public void dataNodeWithoutAnSsd_isTracedToo() throws Exception {
    try (LocalCacheCluster cluster = traced().set(LocalCacheKeys.ENABLED, false)
        .set(LocalCacheKeys.DIRECTORIES, "").start()) {
      startTrace(cluster);
      cluster.write("/file", LENGTH);
      cluster.read("/file");
      LocalCacheCluster.await("the read's end",
          () -> cluster.metrics(0).total(Event.TRACED_READS) == 1);
    }
    assertEquals(1, reads().size());
    assertEquals(LENGTH, reads().get(0).length());
    assertEquals(ReadOutcome.BYPASS_OFF, reads().get(0).outcome());
  }

  private LocalCacheCluster.Builder traced() {
    return LocalCacheCluster.builder().set(LocalCacheKeys.TRACE_DIRECTORY, folder.getRoot());
  }

  private static void startTrace(LocalCacheCluster cluster) {
    cluster.interceptor(0).trace().start(1, false);
  }

  private List<TracedRead> reads() throws IOException {
    return TracedReads.in(folder.getRoot().toPath());
  }
}

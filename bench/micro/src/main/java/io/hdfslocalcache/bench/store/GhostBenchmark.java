/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.store;

import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.DryRunConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.dryrun.Ghosts;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.TickingClock;
import org.apache.hadoop.conf.Configuration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** All that ghosts add to a read: what a dry run costs. */
@State(Scope.Benchmark)
public class GhostBenchmark extends Nanoseconds {

  private static final long BLOCK = 128L << 20;
  private static final int SIZE = 4096;

  /** Number of ghosts. */
  @Param({"1", "4", "16"})
  public int ghosts;

  /** Reads that a block needs to be admitted: after the first one, reads are hits; or never. */
  @Param({"0", "1000000"})
  public int threshold;

  private final TickingClock clock = new TickingClock();
  private Ghosts all;

  /** Makes ghosts with room for every page that is read. */
  @Setup
  public void open() throws IOException {
    clock.start();
    Configuration conf = new Configuration(false);
    conf.setBoolean(LocalCacheKeys.DRY_RUN, true);
    conf.set(LocalCacheKeys.DRY_RUN_GHOSTS, IntStream.range(0, ghosts).mapToObj(i -> "ghost" + i)
        .collect(Collectors.joining(",")));
    conf.set(LocalCacheKeys.CAPACITY, "100g");
    conf.set(BucketTimeRateLimit.THRESHOLD_KEY, String.valueOf(threshold));
    all = new Ghosts(DryRunConfig.from(conf), new NoReplicas(), () -> true, clock);
  }

  /** A read of 4 KB from its begin to its end. */
  @Benchmark
  public Object read(Target target) {
    return read(target.page(), target.offset(SIZE), SIZE);
  }

  /** A read of a whole block of 128 pages. */
  @Benchmark
  public Object readBlock(Target target) {
    return read(target.page(), 0, BLOCK);
  }

  private Object read(int block, long from, long length) {
    ReplicaSnapshot snapshot =
        new ReplicaSnapshot(new BlockKey("BP-1234567-10.0.0.1-1234567890123", block), 1001, BLOCK);
    Ghosts.Reading reading = all.beginRead("DFSClient_NONMAPREDUCE_1234567_1", null, snapshot, 1001,
        null, from, from + length);
    reading.finished(from + length);
    return reading;
  }

  /** Closes the ghosts. */
  @TearDown
  public void close() {
    all.close();
    clock.close();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.micro;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.DryRunConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.dryrun.Ghosts;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.TickingClock;
import org.apache.hadoop.conf.Configuration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** All that ghosts add to a read: what a dry run costs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GhostBenchmark {

  private static final int BLOCKS = 256;
  private static final int PAGE = 1 << 20;
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

  /** Where a thread reads next. */
  @State(Scope.Thread)
  public static class Target {

    private final SplittableRandom random = new SplittableRandom(Thread.currentThread().getId());

    private int block() {
      return random.nextInt(BLOCKS);
    }

    /** @return a multiple of 4 KB from which a read fits into the first page. */
    private int offset() {
      return random.nextInt((PAGE - SIZE) / SIZE + 1) * SIZE;
    }
  }

  /** The replicas of a DataNode that are never opened, and never change. */
  private static final class NoReplicas implements ReplicaAccess {

    @Override
    public boolean isCurrent(ReplicaSnapshot snapshot) {
      return true;
    }

    @Override
    public String volumeOf(BlockKey key) {
      return "volume";
    }

    @Override
    public ReplicaIdentity identity(ReplicaSnapshot snapshot) {
      return ReplicaIdentity.NONE;
    }

    @Override
    public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
      throw new IOException("there are no replicas");
    }

    @Override
    public ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
        throws IOException {
      return open(snapshot);
    }
  }

  /** A read of 4 KB from its begin to its end. */
  @Benchmark
  public Object read(Target target) {
    return read(target.block(), target.offset(), SIZE);
  }

  /** A read of a whole block of 128 pages. */
  @Benchmark
  public Object readBlock(Target target) {
    return read(target.block(), 0, BLOCK);
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

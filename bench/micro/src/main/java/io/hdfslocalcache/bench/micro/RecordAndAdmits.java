/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.micro;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.TickingClock;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What each client read costs in the rate limiter: counting it and asking about its block. Blocks
 * are as many, and as unevenly read, as on one of Uber's DataNodes in 20 hours.
 *
 * <p>JMH's own score is wall-clock time, which on a machine with fewer free cores than threads says
 * little. {@code cpuNanos} divided by {@code operations} is the CPU time of one operation.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class RecordAndAdmits {
  private static final int BLOCKS = 84_769;
  private static final double SKEW = 1.08;
  private static final int DRAWS = 1 << 20;

  /** One limiter for all threads. */
  @State(Scope.Benchmark)
  public static class Limiter {
    /** The limiter. */
    @Param({"bucket-time", "io.hdfslocalcache.ratelimit.BucketTimeRateLimit", "write-budget"})
    public String limiter;

    private CacheRateLimiter made;
    private long[] draws;

    /** Makes the limiter, and draws the blocks that are read. */
    @Setup
    public void setUp() {
      TickingClock clock = new TickingClock();
      clock.start();
      made = RateLimiterFactory.create(limiter, RateLimiterConfig.of(
          Map.of("dfs.datanode.local.cache.capacity", "1t")), clock);
      double[] cumulative = new double[BLOCKS];
      double sum = 0;
      for (int i = 0; i < BLOCKS; i++) {
        sum += Math.pow(i + 1, -SKEW);
        cumulative[i] = sum;
      }
      SplittableRandom random = new SplittableRandom(1);
      draws = new long[DRAWS];
      for (int i = 0; i < DRAWS; i++) {
        int found = java.util.Arrays.binarySearch(cumulative, random.nextDouble() * sum);
        draws[i] = (1L << 30) + Math.min(BLOCKS - 1, found < 0 ? ~found : found);
      }
    }
  }

  /** A thread's own: where it is among the draws, and the CPU time it has taken. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Reader {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Nanoseconds of CPU time in this iteration. */
    public long cpuNanos;
    /** Operations in this iteration. */
    public long operations;
    private long began;
    private String blockPool;
    private int at;

    /** A DataNode gets the pool's id as a string of its own with every request. */
    @Setup
    public void setUp() {
      blockPool = new StringBuilder("BP-1731544834-10.0.0.1-1400000000000").toString();
      at = new SplittableRandom(Thread.currentThread().getId()).nextInt(DRAWS);
    }

    /** Begins an iteration. */
    @Setup(Level.Iteration)
    public void begin() {
      // JMH sets the counters to 0 after this.
      began = THREADS.getCurrentThreadCpuTime();
    }

    /** Ends an iteration. */
    @TearDown(Level.Iteration)
    public void end() {
      cpuNanos = THREADS.getCurrentThreadCpuTime() - began;
    }
  }

  /** Counts a read and asks about its block. */
  @Benchmark
  public boolean recordAndAdmits(Limiter limiter, Reader reader) {
    reader.operations++;
    long block = limiter.draws[reader.at++ & DRAWS - 1];
    limiter.made.record(reader.blockPool, block, 65_536);
    return limiter.made.admits(reader.blockPool, block);
  }
}

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
import io.hdfslocalcache.time.TickingClock;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.Well19937c;
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
 * Cost of a client read in the rate limiter: counting it and asking about its block. Number and
 * skew of blocks are those of one of Uber's DataNodes in 20 hours.
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
  private static final long FIRST_BLOCK = 1L << 30;

  /** One limiter for all threads. */
  @State(Scope.Benchmark)
  public static class Limiter {
    /** The limiter. */
    @Param({"bucket-time", "write-budget"})
    public String limiter;

    private CacheRateLimiter made;
    /** Ranks from 1, lower ones more often. */
    private int[] draws;

    /** Creates the limiter, and draws the blocks to read. */
    @Setup
    public void setUp() {
      TickingClock clock = new TickingClock();
      clock.start();
      made = RateLimiterFactory.create(limiter, RateLimiterConfig.of(Map.of()), clock::millis);
      made.capacity(1, 1L << 40);
      draws = new ZipfDistribution(new Well19937c(1), BLOCKS, SKEW).sample(DRAWS);
    }
  }

  /** Per thread: its position in the draws. */
  @State(Scope.Thread)
  public static class Reader {
    private String blockPool;
    private int at;

    /** A DataNode gets the pool's id as a new string with every request. */
    @Setup
    public void setUp() {
      blockPool = new StringBuilder("BP-1731544834-10.0.0.1-1400000000000").toString();
      at = new SplittableRandom(Thread.currentThread().getId()).nextInt(DRAWS);
    }
  }

  /** Counts a read and asks about its block. */
  @Benchmark
  public boolean recordAndAdmits(Limiter limiter, Reader reader, CpuTime cpu) {
    cpu.operations++;
    long block = FIRST_BLOCK + limiter.draws[reader.at++ & DRAWS - 1] - 1;
    limiter.made.record(reader.blockPool, block, 65_536);
    return limiter.made.admits(reader.blockPool, block);
  }

  /**
   * The CPU time of one thread. JMH's own score is wall-clock time, which is misleading on a
   * machine with fewer free cores than threads; {@code cpuNanos} divided by {@code operations} is
   * the CPU time of one operation.
   */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class CpuTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Nanoseconds of CPU time in this iteration. */
    public long cpuNanos;
    /** Operations in this iteration, counted by the benchmark. */
    public long operations;
    private long began;

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
}

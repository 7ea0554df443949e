/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.micro;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The CPU time of one thread. JMH's own score is wall-clock time, which on a machine with fewer
 * free cores than threads says little; {@code cpuNanos} divided by {@code operations} is the CPU
 * time of one operation.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class CpuTime {
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

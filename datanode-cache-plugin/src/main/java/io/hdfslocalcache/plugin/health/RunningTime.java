/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time in which this process ran. A process paused by the garbage collector, a signal or its
 * host ticks late; that delay is no SSD's fault and does not count.
 */
final class RunningTime {

  /** Time between two ticks. */
  static final long TICK_MILLIS = 50;
  /** A tick may be late by one interval: a busy machine is not a paused one. */
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(2 * TICK_MILLIS);

  private final LongSupplier nanoClock;
  private long ticked;
  private long ran;
  private long lost;

  /** @param nanoClock a clock that only goes forward, in nanoseconds */
  RunningTime(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.ticked = nanoClock.getAsLong();
  }

  /** The process runs. */
  synchronized void tick() {
    long now = nanoClock.getAsLong();
    long passed = now - ticked;
    ran += Math.min(passed, LONGEST_NANOS);
    lost += Math.max(0, passed - LONGEST_NANOS);
    ticked = now;
  }

  /** @return nanoseconds for which the process ran. */
  synchronized long nanos() {
    return ran + Math.min(sinceTick(), LONGEST_NANOS);
  }

  /** @return nanoseconds for which it did not. */
  synchronized long lost() {
    return lost + Math.max(0, sinceTick() - LONGEST_NANOS);
  }

  private long sinceTick() {
    return nanoClock.getAsLong() - ticked;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.time.TimeAndThreads;

/**
 * The clock of a running DataNode: follows {@link System#nanoTime} in steps of a tenth of a second,
 * with a thread of its own. Reading the system's clock twice would cost each client read as much as
 * everything else that a rate limiter does, and no limiter looks at less than a second.
 */
public final class TickingClock implements RateLimiterClock, AutoCloseable {
  private static final long TICK_MILLIS = 100;

  private final RateLimiterClock system = RateLimiterClock.system();
  private TimeAndThreads.Repetition ticks;
  private volatile long now;

  /** Lets the time begin, unless it has; it is 0 until then. */
  public synchronized void start() {
    if (ticks == null) {
      ticks = TimeAndThreads.get().repeat("local-cache-clock",
          TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS), () -> now = system.millis());
    }
  }

  @Override
  public long millis() {
    return now;
  }

  /** Stops the thread; the time stands still from then on. */
  @Override
  public synchronized void close() {
    if (ticks != null) {
      ticks.stop();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.time;

import java.util.concurrent.TimeUnit;

/**
 * A cheap clock for a rate limiter, which reads it for every client read and needs no fractions of
 * a second. A thread advances it every 0.1 s, by {@link TimeAndThreads#nanoTime}. Reading the
 * system's clock twice would cost as much as everything else that a rate limiter does for a read.
 */
public final class TickingClock implements AutoCloseable {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final long created = TimeAndThreads.get().nanoTime();
  private TimeAndThreads.Repetition ticks;
  private volatile long now;

  /** Starts the clock, unless it runs; its time is 0 until then. */
  public synchronized void start() {
    if (ticks == null) {
      ticks = TimeAndThreads.get().repeat("local-cache-clock", TICK_NANOS, () ->
          now = TimeUnit.NANOSECONDS.toMillis(TimeAndThreads.get().nanoTime() - created));
    }
  }

  /** @return milliseconds since this was made; never decreases. */
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

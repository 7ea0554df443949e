/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.time;

import java.util.concurrent.TimeUnit;

/**
 * A clock for whoever looks at it all the time, and never at less than a second, as a rate limiter
 * does: follows {@link TimeAndThreads#nanoTime} in steps of a tenth of a second, with a thread of its
 * own. Reading the system's clock twice would cost each client read as much as everything else that
 * a rate limiter does.
 */
public final class TickingClock implements AutoCloseable {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final long created = TimeAndThreads.get().nanoTime();
  private TimeAndThreads.Repetition ticks;
  private volatile long now;

  /** Lets the time begin, unless it has; it is 0 until then. */
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

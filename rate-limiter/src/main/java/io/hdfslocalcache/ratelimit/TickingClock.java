/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * The clock of a running DataNode: follows {@link System#nanoTime} in steps of a tenth of a second,
 * with a thread of its own. Reading the system's clock twice would cost each client read as much as
 * everything else that a rate limiter does, and no limiter looks at less than a second.
 */
public final class TickingClock implements RateLimiterClock, AutoCloseable {
  private static final long TICK_MILLIS = 100;

  private final RateLimiterClock system = RateLimiterClock.system();
  private final Thread thread = new Thread(this::tick, "local-cache-clock");
  private volatile long now;

  /** Lets the time begin, unless it has; it is 0 until then. */
  public synchronized void start() {
    if (thread.getState() == Thread.State.NEW) {
      thread.setDaemon(true);
      thread.start();
    }
  }

  @Override
  public long millis() {
    return now;
  }

  private void tick() {
    try {
      while (true) {
        Thread.sleep(TICK_MILLIS);
        now = system.millis();
      }
    } catch (InterruptedException e) {
      // Closed: the time stands still.
    }
  }

  /** Stops the thread; the time stands still from then on. */
  @Override
  public void close() {
    thread.interrupt();
  }
}

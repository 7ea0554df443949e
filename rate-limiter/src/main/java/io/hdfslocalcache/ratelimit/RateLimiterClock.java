/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import io.hdfslocalcache.time.TimeAndThreads;

/**
 * The time a rate limiter lives by: milliseconds since some arbitrary moment, never decreasing,
 * unmoved by changes of the wall clock. Injected, so that tests and the simulator set the time.
 */
@FunctionalInterface
public interface RateLimiterClock {

  /** @return milliseconds since an arbitrary moment, which may be negative. */
  long millis();

  /** @return a clock that starts at 0 and follows {@link System#nanoTime}. */
  static RateLimiterClock system() {
    long start = TimeAndThreads.get().nanoTime();
    return () -> (TimeAndThreads.get().nanoTime() - start) / 1_000_000;
  }
}

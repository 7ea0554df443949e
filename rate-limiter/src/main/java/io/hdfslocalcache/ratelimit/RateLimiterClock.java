/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * A rate limiter's clock: milliseconds since an arbitrary moment, never decreasing, independent of
 * changes of the wall clock. Injected, so that tests and the simulator set the time.
 */
@FunctionalInterface
public interface RateLimiterClock {

  /** @return milliseconds since an arbitrary moment, which may be negative. */
  long millis();
}

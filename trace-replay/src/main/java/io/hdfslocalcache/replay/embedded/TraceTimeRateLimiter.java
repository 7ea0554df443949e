/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;

/**
 * Rate limiters by the clock of a trace that is replayed faster than it was recorded: its hours and
 * days are those of the trace.
 */
final class TraceTimeRateLimiter {

  /** How much faster time passes. A number above 0. Default 1. */
  static final String RATE_KEY = "dfs.datanode.local.cache.rate.limiter.replay.rate";

  private TraceTimeRateLimiter() {
  }

  /** @return the class of the limiter: with a threshold and a window, or with a write budget. */
  static Class<? extends CacheRateLimiter> of(boolean hasThreshold) {
    return hasThreshold ? Threshold.class : Budget.class;
  }

  private static RateLimiterClock faster(RateLimiterConfig config, RateLimiterClock clock) {
    double rate = Double.parseDouble(config.get(RATE_KEY, "1"));
    return () -> (long) (clock.millis() * rate);
  }

  /** With a write budget. */
  public static final class Budget extends WriteBudgetRateLimit {

    /** Called by the DataNode. @throws IllegalArgumentException when a value is not allowed */
    public Budget(RateLimiterConfig config, RateLimiterClock clock) {
      super(config, faster(config, clock));
    }
  }

  /** With a threshold and a window. */
  public static final class Threshold extends BucketTimeRateLimit {

    /** Called by the DataNode. @throws IllegalArgumentException when a value is not allowed */
    public Threshold(RateLimiterConfig config, RateLimiterClock clock) {
      super(config, faster(config, clock));
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;

/**
 * The default rate limiter by the clock of a trace that is replayed faster than it was recorded: its
 * hours and days are those of the trace.
 */
public final class TraceTimeRateLimiter extends WriteBudgetRateLimit {

  /** How much faster time passes. A number above 0. Default 1. */
  static final String RATE_KEY = "dfs.datanode.local.cache.rate.limiter.replay.rate";

  /** Called by the DataNode. @throws IllegalArgumentException when a value is not allowed */
  public TraceTimeRateLimiter(RateLimiterConfig config, RateLimiterClock clock) {
    super(config, faster(clock, Double.parseDouble(config.get(RATE_KEY, "1"))));
  }

  private static RateLimiterClock faster(RateLimiterClock clock, double rate) {
    return () -> (long) (clock.millis() * rate);
  }
}

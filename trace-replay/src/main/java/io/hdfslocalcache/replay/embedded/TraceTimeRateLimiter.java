/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import java.util.Map;

import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.StateFile;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;

/**
 * The default rate limiter by the clock of a trace that is replayed faster than it was recorded: its
 * hours and days are those of the trace.
 */
public final class TraceTimeRateLimiter implements CacheRateLimiter {

  /** How much faster time passes. A number above 0. Default 1. */
  static final String RATE_KEY = "dfs.datanode.local.cache.rate.limiter.replay.rate";

  private final CacheRateLimiter limiter;

  /** Called by the DataNode. @throws IllegalArgumentException when a value is not allowed */
  public TraceTimeRateLimiter(RateLimiterConfig config, RateLimiterClock clock) {
    double rate = Double.parseDouble(config.get(RATE_KEY, "1"));
    this.limiter = new WriteBudgetRateLimit(config, () -> (long) (clock.millis() * rate));
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
    limiter.record(blockPoolId, blockId, bytes);
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    return limiter.admits(blockPoolId, blockId);
  }

  @Override
  public boolean admits(String blockPoolId, long blockId, int page) {
    return limiter.admits(blockPoolId, blockId, page);
  }

  @Override
  public boolean mayWrite() {
    return limiter.mayWrite();
  }

  @Override
  public void written(long bytes) {
    limiter.written(bytes);
  }

  @Override
  public void restore(StateFile state) {
    limiter.restore(state);
  }

  @Override
  public Map<String, Long> metrics() {
    return limiter.metrics();
  }

  @Override
  public long accesses(String blockPoolId, long blockId) {
    return limiter.accesses(blockPoolId, blockId);
  }

  @Override
  public String explain(String blockPoolId, long blockId) {
    return limiter.explain(blockPoolId, blockId);
  }

  @Override
  public void close() {
    limiter.close();
  }
}

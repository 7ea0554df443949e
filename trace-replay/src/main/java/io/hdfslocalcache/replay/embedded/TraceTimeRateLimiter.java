/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import java.util.Map;
import java.util.Set;

import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.StateFile;
import org.apache.hadoop.conf.Configuration;

/**
 * The configured rate limiter with the clock of a trace that is replayed faster than recorded:
 * hours and days are the trace's.
 */
public final class TraceTimeRateLimiter implements CacheRateLimiter {

  /** Short name or class name of the limiter, as in {@link RateLimiterFactory#CLASS_KEY}. */
  static final String CLASS_KEY = "dfs.datanode.local.cache.rate.limiter.replay.class";

  /** Speed of the clock. A number above 0. Default 1. */
  static final String RATE_KEY = "dfs.datanode.local.cache.rate.limiter.replay.rate";

  private final CacheRateLimiter limiter;

  /**
   * Called by the DataNode.
   *
   * @param config the keys of this class and of the limiter
   * @param clock the time in which the trace is replayed
   * @throws IllegalArgumentException when a value is not allowed
   */
  public TraceTimeRateLimiter(RateLimiterConfig config, RateLimiterClock clock) {
    double rate = Double.parseDouble(config.get(RATE_KEY, "1"));
    this.limiter = RateLimiterFactory.create(
        config.get(CLASS_KEY, RateLimiterFactory.CLASS_DEFAULT), config,
        () -> (long) (clock.millis() * rate));
  }

  /** Puts it in the place of the limiter that is configured. */
  static void useIn(Configuration conf, double rate) {
    conf.set(CLASS_KEY,
        conf.getTrimmed(RateLimiterFactory.CLASS_KEY, RateLimiterFactory.CLASS_DEFAULT));
    conf.set(RateLimiterFactory.CLASS_KEY, TraceTimeRateLimiter.class.getName());
    conf.setDouble(RATE_KEY, rate);
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
    limiter.record(blockPoolId, blockId, bytes);
  }

  @Override
  public void record(String blockPoolId, long blockId, long from, long bytes) {
    limiter.record(blockPoolId, blockId, from, bytes);
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
  public boolean wasMissedBefore(String blockPoolId, long blockId, int page) {
    return limiter.wasMissedBefore(blockPoolId, blockId, page);
  }

  @Override
  public boolean admitsByRule() {
    return limiter.admitsByRule();
  }

  @Override
  public boolean mayWrite(long ahead) {
    return limiter.mayWrite(ahead);
  }

  @Override
  public boolean isBudgetSpent() {
    return limiter.isBudgetSpent();
  }

  @Override
  public long heapBytes() {
    return limiter.heapBytes();
  }

  @Override
  public void written(long bytes) {
    limiter.written(bytes);
  }

  @Override
  public void evicted(String blockPoolId, long blockId, int page) {
    limiter.evicted(blockPoolId, blockId, page);
  }

  @Override
  public void capacity(int ssds, long bytes) {
    limiter.capacity(ssds, bytes);
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
  public Set<String> counters() {
    return limiter.counters();
  }

  @Override
  public long accesses(String blockPoolId, long blockId) {
    return limiter.accesses(blockPoolId, blockId);
  }

  @Override
  public boolean wouldAdmit(String blockPoolId, long blockId) {
    return limiter.wouldAdmit(blockPoolId, blockId);
  }

  @Override
  public long readLifeMillis() {
    return limiter.readLifeMillis();
  }

  @Override
  public String explain(String blockPoolId, long blockId) {
    return limiter.explain(blockPoolId, blockId);
  }

  @Override
  public String holdsBack() {
    return limiter.holdsBack();
  }

  @Override
  public boolean reconfigure(RateLimiterConfig config) {
    return limiter.reconfigure(config);
  }

  @Override
  public void close() {
    limiter.close();
  }
}

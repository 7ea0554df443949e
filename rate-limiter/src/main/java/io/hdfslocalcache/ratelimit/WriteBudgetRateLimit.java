/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Map;

/**
 * Admits what is worth most within a budget of bytes written to the SSDs: the default. The operator
 * says how large the SSDs are and how many bytes a day each may be written; what a block and a page
 * must show to enter follows from that, moment by moment. See {@link BudgetedAdmission}.
 *
 * <p>There is one budget for all SSDs, as many times that of one: blocks are spread over the SSDs
 * by a hash, and a limiter that does not know on which SSD a page will be needs no more than that.
 *
 * <p>With a budget of 0, and when X or Y of {@link BucketTimeRateLimit} is configured and a budget
 * is not, X and Y decide and nothing else.
 */
public class WriteBudgetRateLimit implements CacheRateLimiter {

  /**
   * Bytes that may be written to each SSD in a day, beside filling it once. Unit: bytes, with or
   * without one of the suffixes k, m, g, t. Default: the capacity. 0: no budget.
   */
  public static final String BUDGET_KEY = "dfs.datanode.local.cache.write.budget";

  /** Default of {@link #BUDGET_KEY}: {@link #CAPACITY_KEY}'s value. */
  public static final String BUDGET_DEFAULT = "";

  /** Bytes of SSD space for pages on each SSD; the local cache's own key. */
  public static final String CAPACITY_KEY = "dfs.datanode.local.cache.capacity";

  /** The SSDs, of which only the number matters here; the local cache's own key. */
  public static final String DIRECTORIES_KEY = "dfs.datanode.local.cache.directories";

  private final CacheRateLimiter limiter;

  /**
   * Makes a limiter that has seen no access yet.
   *
   * @param config holds the keys of this class and of {@link BucketTimeRateLimit}
   * @param clock the time
   * @throws IllegalArgumentException when a value is not allowed; see {@link RateLimiterConfig}
   */
  public WriteBudgetRateLimit(RateLimiterConfig config, RateLimiterClock clock) {
    long capacity = capacity(config);
    long perDay = perDay(config);
    this.limiter = perDay == 0 ? new BucketTimeRateLimit(config, clock)
        : new BudgetedAdmission(
            new WriteBudget(capacity, perDay, clock), config, clock);
  }

  /**
   * Tells whether a budget decides, and not X and Y of {@link BucketTimeRateLimit}.
   *
   * @param config holds the keys of this class and of that one
   * @return false if the budget is 0, or is not set while X or Y is
   * @throws IllegalArgumentException when a value is not allowed
   */
  public static boolean hasBudget(RateLimiterConfig config) {
    return perDay(config) != 0;
  }

  private static long perDay(RateLimiterConfig config) {
    long byDefault = isSet(config, BucketTimeRateLimit.THRESHOLD_KEY)
        || isSet(config, BucketTimeRateLimit.WINDOW_KEY) ? 0 : capacity(config) / ssds(config);
    return ofAll(config, BUDGET_KEY, byDefault, ssds(config));
  }

  private static long capacity(RateLimiterConfig config) {
    return ofAll(config, CAPACITY_KEY, 0, ssds(config));
  }

  private static int ssds(RateLimiterConfig config) {
    String directories = config.get(DIRECTORIES_KEY, "");
    return (int) Math.max(1, directories.chars().filter(c -> c == ',').count() + 1);
  }

  private static long ofAll(RateLimiterConfig config, String key, long byDefault, int ssds) {
    long ofOne = config.getBytes(key, byDefault);
    if (ofOne > Long.MAX_VALUE / ssds) {
      throw RateLimiterConfig.invalid(key, config.get(key, ""), "must be less for " + ssds
          + " SSDs");
    }
    return ofOne * ssds;
  }

  private static boolean isSet(RateLimiterConfig config, String key) {
    return config.get(key, null) != null;
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
  public void evicted(String blockPoolId, long blockId, int page) {
    limiter.evicted(blockPoolId, blockId, page);
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
  public boolean reconfigure(RateLimiterConfig config) {
    long perDay = perDay(config);
    if (perDay == 0 || !(limiter instanceof BudgetedAdmission budgeted)) {
      return false;
    }
    budgeted.reconfigure(perDay);
    return true;
  }

  @Override
  public void close() {
    limiter.close();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * Capacity and write budget as configured, for all SSDs together; the keys are
 * {@link WriteBudgetRateLimit}'s.
 *
 * @param capacity bytes that pages may take
 * @param perDay bytes that may be written in a day; 0: X and Y of {@link BucketTimeRateLimit} decide
 */
record BudgetConfig(long capacity, long perDay) {

  /** Reads the keys; throws as {@link RateLimiterConfig} does. */
  static BudgetConfig from(RateLimiterConfig config) {
    int ssds = ssds(config);
    long capacity = ofAll(config, WriteBudgetRateLimit.CAPACITY_KEY, 0, ssds);
    long byDefault = isSet(config, BucketTimeRateLimit.THRESHOLD_KEY)
        || isSet(config, BucketTimeRateLimit.WINDOW_KEY) ? 0 : capacity / ssds;
    return new BudgetConfig(
        capacity, ofAll(config, WriteBudgetRateLimit.BUDGET_KEY, byDefault, ssds));
  }

  private static int ssds(RateLimiterConfig config) {
    String directories = config.get(WriteBudgetRateLimit.DIRECTORIES_KEY, "");
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
}

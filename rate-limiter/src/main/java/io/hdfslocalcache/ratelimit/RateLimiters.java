/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The limiters of this project. */
enum RateLimiters {
  ADMIT_ALL("admit-all", AdmitAll.class, AdmitAll::new),
  BUCKET_TIME("bucket-time", BucketTimeRateLimit.class, BucketTimeRateLimit::new,
      BucketTimeRateLimit.THRESHOLD_KEY, BucketTimeRateLimit.WINDOW_KEY,
      BucketTimeRateLimit.MAX_BLOCKS_KEY),
  SECOND_TOUCH("second-touch", SecondTouch.class, SecondTouch::new,
      BucketTimeRateLimit.MAX_BLOCKS_KEY),
  WRITE_BUDGET("write-budget", WriteBudgetRateLimit.class, RateLimiters::byBudget,
      WriteBudgetRateLimit.BUDGET_KEY, BucketTimeRateLimit.THRESHOLD_KEY,
      BucketTimeRateLimit.WINDOW_KEY, BucketTimeRateLimit.MAX_BLOCKS_KEY);

  private final String shortName;
  private final Class<?> type;
  private final BiFunction<RateLimiterConfig, RateLimiterClock, CacheRateLimiter> constructor;
  private final List<String> keys;

  RateLimiters(String shortName, Class<?> type,
      BiFunction<RateLimiterConfig, RateLimiterClock, CacheRateLimiter> constructor,
      String... keys) {
    this.shortName = shortName;
    this.type = type;
    this.constructor = constructor;
    this.keys = List.of(keys);
  }

  private static CacheRateLimiter byBudget(RateLimiterConfig config, RateLimiterClock clock) {
    return BudgetSettings.from(config).perDay() == 0
        ? new BucketTimeRateLimit(config, clock) : new WriteBudgetRateLimit(config, clock);
  }

  /** Returns the limiter of a short name or class name, or null when it is not of this project. */
  static RateLimiters of(String className) {
    for (RateLimiters limiter : values()) {
      if (limiter.shortName.equals(className) || limiter.type.getName().equals(className)) {
        return limiter;
      }
    }
    return null;
  }

  /** Makes one. */
  CacheRateLimiter create(RateLimiterConfig config, RateLimiterClock clock) {
    return constructor.apply(config, clock);
  }

  /** Returns the keys that have an effect on it. */
  List<String> keys() {
    return keys;
  }

  /** Returns all short names, in one line. */
  static String names() {
    return Arrays.stream(values()).map(limiter -> limiter.shortName)
        .collect(Collectors.joining(", "));
  }
}

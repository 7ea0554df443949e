/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** The limiters of this project by their short names. */
final class RateLimiters {
  private static final Map<String, BiFunction<RateLimiterConfig, RateLimiterClock,
      CacheRateLimiter>> BY_NAME = new TreeMap<>(Map.of(
          "write-budget", WriteBudgetRateLimit::new,
          "bucket-time", BucketTimeRateLimit::new,
          "second-touch", SecondTouch::new,
          "admit-all", AdmitAll::new));

  private RateLimiters() {
  }

  /** Returns the limiter of a short name, or null when the name is none. */
  static CacheRateLimiter create(String name, RateLimiterConfig config, RateLimiterClock clock) {
    var constructor = BY_NAME.get(name);
    return constructor == null ? null : constructor.apply(config, clock);
  }

  /** Returns whether there is a limiter of this short name. */
  static boolean knows(String name) {
    return BY_NAME.containsKey(name);
  }

  /** Returns all names, in one line. */
  static String names() {
    return String.join(", ", BY_NAME.keySet());
  }
}

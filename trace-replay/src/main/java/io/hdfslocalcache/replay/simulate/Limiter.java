/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Map;

import io.hdfslocalcache.ratelimit.AdmitAll;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;

/**
 * A rate limiter with its configuration, as a DataNode would make it.
 *
 * @param className its class
 * @param keys what the configuration says; others have their defaults
 */
public record Limiter(String className, Map<String, String> keys) {

  /** Admits all. */
  public static final Limiter ADMIT_ALL = new Limiter(AdmitAll.class.getName(), Map.of());

  /** @return BucketTimeRateLimit: more than x reads in the past y, such as 10m. */
  public static Limiter bucketTime(int x, String y) {
    return new Limiter(BucketTimeRateLimit.class.getName(), Map.of(
        BucketTimeRateLimit.THRESHOLD_KEY, Integer.toString(x),
        BucketTimeRateLimit.WINDOW_KEY, y));
  }

  /** @return a limiter that admits what is worth most within so many bytes written in a day. */
  public static Limiter writeBudget(long bytesPerDay) {
    return new Limiter(WriteBudgetRateLimit.class.getName(),
        Map.of(WriteBudgetRateLimit.BUDGET_KEY, Long.toString(bytesPerDay)));
  }

  /**
   * Makes the limiter.
   *
   * @throws IllegalArgumentException if the configuration is wrong; the message names the key
   */
  CacheRateLimiter create(RateLimiterClock clock) {
    return RateLimiterFactory.create(className, RateLimiterConfig.of(keys), clock);
  }

  /**
   * Checks that the limiter can be made.
   *
   * @return this
   * @throws IllegalArgumentException if not; the message names the key
   */
  public Limiter checked() {
    create(() -> 0).close();
    return this;
  }

  /** @return its name in a table, such as {@code AdmitAll} or {@code BucketTimeRateLimit}. */
  public String shortName() {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  /** @return the threshold X, or a hyphen. */
  public String x() {
    return keys.getOrDefault(BucketTimeRateLimit.THRESHOLD_KEY, "-");
  }

  /** @return the window Y, or a hyphen. */
  public String y() {
    return keys.getOrDefault(BucketTimeRateLimit.WINDOW_KEY, "-");
  }
}

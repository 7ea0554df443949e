/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.HashMap;
import java.util.Map;

import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.replay.text.Text;

/**
 * A rate limiter with its configuration, as in a DataNode.
 *
 * @param className its class or short name
 * @param keys configured keys; others have their defaults
 */
public record Limiter(String className, Map<String, String> keys) {

  /** Short name of the limiter of {@link #bucketTime}. */
  public static final String BUCKET_TIME = "bucket-time";
  /** Short name of the limiter of {@link #writeBudget}. */
  public static final String WRITE_BUDGET = "write-budget";
  /** Admits all blocks. */
  public static final Limiter ADMIT_ALL = new Limiter("admit-all", Map.of());

  /** @return more than x reads of a block in the past y, such as 10m. */
  public static Limiter bucketTime(int x, String y) {
    return new Limiter(BUCKET_TIME, Map.of(
        BucketTimeRateLimit.THRESHOLD_KEY, Integer.toString(x),
        BucketTimeRateLimit.WINDOW_KEY, y));
  }

  /** @return a limiter with a write budget per day. */
  public static Limiter writeBudget(long bytesPerDay) {
    return new Limiter(WRITE_BUDGET,
        Map.of(WriteBudgetRateLimit.BUDGET_KEY, Long.toString(bytesPerDay)));
  }

  /**
   * Creates the limiter.
   *
   * @param capacity capacity for pages in bytes
   * @throws IllegalArgumentException if the configuration is wrong; the message names the key
   */
  CacheRateLimiter create(long capacity, RateLimiterClock clock) {
    CacheRateLimiter limiter =
        RateLimiterFactory.create(className, RateLimiterConfig.of(keys), clock);
    limiter.capacity(1, capacity);
    return limiter;
  }

  /**
   * Checks that the limiter can be created.
   *
   * @return this
   * @throws IllegalArgumentException if not; the message names the key
   */
  public Limiter checked() {
    create(1, () -> 0).close();
    return this;
  }

  /** @return whether it keeps a write budget. */
  public boolean hasBudget() {
    Map<String, String> config = new HashMap<>(keys);
    config.put(RateLimiterFactory.CLASS_KEY, className);
    return RateLimiterFactory.hasBudget(RateLimiterConfig.of(config));
  }

  /** @return its name in a table, with a budget if it has one, such as {@code bucket-time}. */
  String title() {
    String budget = keys.get(WriteBudgetRateLimit.BUDGET_KEY);
    return shortName() + (budget == null ? "" : " " + Sizes.text(Text.parseBytes(budget)) + "/day");
  }

  /** @return its class without package, or its short name. */
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

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.settings;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import org.apache.hadoop.conf.Configuration;

/** The DataNode's configuration as rate limiters see it, and which of their keys matter. */
final class LimiterKeys {

  private LimiterKeys() {
  }

  /** @return a view of the configuration in which a capacity is always a number of bytes. */
  static RateLimiterConfig of(Configuration conf) {
    return RateLimiterConfig.of(key -> {
      String value = conf.getTrimmed(key);
      return key.equals(LocalCacheKeys.CAPACITY) && value != null && value.endsWith("%")
          ? inBytes(value, conf) : value;
    });
  }

  /** A limiter needs the sum of all SSDs only, which is as many times the average. */
  private static String inBytes(String percent, Configuration conf) {
    try {
      int share = Integer.parseInt(percent.substring(0, percent.length() - 1).strip());
      return String.valueOf((long) (conf.getTrimmedStringCollection(LocalCacheKeys.DIRECTORIES)
          .stream().mapToLong(directory -> totalSpace(Path.of(directory))).average().orElse(0)
          / 100 * share));
    } catch (NumberFormatException e) {
      return percent;
    }
  }

  private static long totalSpace(Path directory) {
    Path there = directory;
    while (there.getParent() != null && !there.toFile().exists()) {
      there = there.getParent();
    }
    return there.toFile().getTotalSpace();
  }

  /** @return whether there is such a key of the local cache. */
  static boolean isKey(String name) {
    return RateLimiterFactory.keys().contains(name) || Stream.of(LocalCacheKeys.class.getFields())
        .filter(field -> field.getType() == String.class).map(LimiterKeys::valueOf)
        .anyMatch(name::equals);
  }

  private static Object valueOf(Field constant) {
    try {
      return constant.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("public fields can be read", e);
    }
  }

  /** @return whether the budget decides. */
  static boolean hasBudget(Configuration conf) {
    return RateLimiterFactory.hasBudget(of(conf));
  }

  /** @return Y in milliseconds. */
  static long windowMillis(Configuration conf) {
    return of(conf).getDurationMillis(
        BucketTimeRateLimit.WINDOW_KEY, BucketTimeRateLimit.WINDOW_DEFAULT, "1s", "60d");
  }

  /**
   * Refuses a change that would change nothing, or more than its key says.
   *
   * @throws IllegalArgumentException with what to do instead
   */
  static void checkEffect(String key, Configuration wanted, Configuration now) {
    String limiter =
        wanted.getTrimmed(RateLimiterFactory.CLASS_KEY, RateLimiterFactory.CLASS_DEFAULT);
    if (!RateLimiterFactory.hasEffect(limiter, key)) {
      throw RateLimiterConfig.invalid(key, wanted.getTrimmed(key), "has no effect on "
          + RateLimiterFactory.CLASS_KEY + " = " + limiter);
    }
    if (!key.equals(WriteBudgetRateLimit.BUDGET_KEY) && hasBudget(now)) {
      throw RateLimiterConfig.invalid(key, wanted.getTrimmed(key), "has no effect while a write "
          + "budget decides; set " + WriteBudgetRateLimit.BUDGET_KEY + " to 0 first");
    }
  }
}

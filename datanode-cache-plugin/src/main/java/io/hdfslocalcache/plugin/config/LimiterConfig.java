/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.nio.file.Path;

import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import org.apache.hadoop.conf.Configuration;

/** The DataNode's configuration as rate limiters see it. */
public final class LimiterConfig {

  private LimiterConfig() {
  }

  /** @return a view of the configuration in which a capacity is always a number of bytes. */
  public static RateLimiterConfig of(Configuration conf) {
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
}

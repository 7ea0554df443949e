/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.metrics.PinStatus;
import io.hdfslocalcache.plugin.rules.BadRulesException;
import io.hdfslocalcache.plugin.store.SsdDirectory;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** Pins and unpins paths as operators say it. */
final class PinCommands {

  private static final String DEFAULT = "default";
  /** What one pin takes of the capacity if nobody says how much. */
  private static final int DEFAULT_PART = 10;

  private PinCommands() {
  }

  /** As {@link io.hdfslocalcache.plugin.admin.LocalCacheView#pin}. */
  static PinStatus pin(LocalCache cache, LocalCacheConfig config, String path, String quota) {
    long capacity =
        cache.directories().all().stream().mapToLong(SsdDirectory::capacityBytes).sum();
    // A page takes more than its data.
    long least = 2L * config.pageSize();
    long bytes = quota.equals(DEFAULT) ? Math.max(least, capacity / DEFAULT_PART) : bytes(quota);
    if (bytes < least) {
      throw new IllegalArgumentException(
          "quota = " + quota + ": must be at least " + least + " bytes, two pages");
    }
    try {
      return cache.rules().pins().pin(path, bytes, capacity);
    } catch (BadRulesException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** As {@link io.hdfslocalcache.plugin.admin.LocalCacheView#unpin}. */
  static PinStatus unpin(LocalCache cache, String path) {
    try {
      return cache.rules().pins().unpin(path);
    } catch (BadRulesException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static long bytes(String quota) {
    try {
      return TraditionalBinaryPrefix.string2long(quota);
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("quota = " + quota + ": must be a number of bytes, with or "
          + "without one of the suffixes k, m, g, t", e);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import io.hdfslocalcache.plugin.rules.BadRulesException;
import io.hdfslocalcache.plugin.rules.Pins;
import io.hdfslocalcache.plugin.rules.Pins.PinStatus;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** Pins and unpins paths as operators say it. */
final class PinCommands {

  private static final String DEFAULT = "default";
  /** What one pin takes of the capacity if nobody says how much. */
  private static final int DEFAULT_PART = 10;

  private final Pins pins;
  private final SsdDirectories directories;
  private final int pageSize;

  PinCommands(Pins pins, SsdDirectories directories, int pageSize) {
    this.pins = pins;
    this.directories = directories;
    this.pageSize = pageSize;
  }

  /** As {@link LocalCacheView#pin}. */
  PinStatus pin(String path, String quota) {
    long capacity = directories.all().stream().mapToLong(SsdDirectory::capacityBytes).sum();
    // A page takes more than its data.
    long least = 2L * pageSize;
    long bytes = quota.equals(DEFAULT) ? Math.max(least, capacity / DEFAULT_PART) : bytes(quota);
    if (bytes < least) {
      throw new IllegalArgumentException(
          "quota = " + quota + ": must be at least " + least + " bytes, two pages");
    }
    try {
      return pins.pin(path, bytes, capacity);
    } catch (BadRulesException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** As {@link LocalCacheView#unpin}. */
  PinStatus unpin(String path) {
    try {
      return pins.unpin(path);
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

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.conf.Configuration;

/**
 * Where the operator's rules are, and how often to look at them.
 *
 * @param file the file; null if there are no rules
 * @param intervalMillis time between two looks at the file, and at the NameNodes for its paths
 * @param maxBlocks blocks of which to know the paths, at most
 * @param pinsDirectory where pins are kept; null: on the first SSD
 */
public record RuleSettings(Path file, long intervalMillis, int maxBlocks, Path pinsDirectory) {

  private static final int MOST_BLOCKS = 100_000_000;

  /**
   * Reads the settings; not the rules.
   *
   * @throws BadConfigurationException if one is out of range
   */
  public static RuleSettings from(Configuration conf) throws BadConfigurationException {
    return new RuleSettings(path(conf, LocalCacheKeys.RULES_FILE, "of a file"),
        TimeUnit.NANOSECONDS.toMillis(LocalCacheConfig.nanos(conf, LocalCacheKeys.RULES_INTERVAL,
            LocalCacheKeys.RULES_INTERVAL_DEFAULT, "7d")),
        LocalCacheConfig.number(conf, LocalCacheKeys.RULES_MAX_BLOCKS,
            LocalCacheKeys.RULES_MAX_BLOCKS_DEFAULT, 1, MOST_BLOCKS),
        path(conf, LocalCacheKeys.PINS_DIRECTORY, "of a directory"));
  }

  private static Path path(Configuration conf, String key, String what)
      throws BadConfigurationException {
    String value = conf.getTrimmed(key, "");
    try {
      if (value.isEmpty()) {
        return null;
      }
      if (Path.of(value).isAbsolute()) {
        return Path.of(value);
      }
    } catch (InvalidPathException e) {
      // Said below.
    }
    throw new BadConfigurationException(
        key, value, "must be the absolute path " + what + ", or empty");
  }
}

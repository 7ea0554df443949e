/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.conf.Configuration;

/**
 * The rules file, and how often to check it.
 *
 * @param file the file; null if there are no rules
 * @param intervalMillis time between two checks of the file, and between two listings of its paths
 * @param maxBlocks the most blocks of rules' paths to remember, at about 48 bytes of heap each
 * @param pinsDirectory where pins and settings are kept; null: on all SSDs
 */
public record RulesConfig(Path file, long intervalMillis, int maxBlocks, Path pinsDirectory) {

  private static final int MAX_BLOCKS = 1_000_000;

  /**
   * Reads the keys, but not the rules file.
   *
   * @throws BadConfigurationException if a value is out of range
   */
  public static RulesConfig from(Configuration conf) throws BadConfigurationException {
    Mistakes mistakes = new Mistakes();
    RulesConfig config = new RulesConfig(
        mistakes.read(null, () -> LocalCacheConfig.path(conf, LocalCacheKeys.RULES_FILE,
            "must be the absolute path of a file, or empty")),
        TimeUnit.NANOSECONDS.toMillis(mistakes.read(0L,
            () -> LocalCacheConfig.nanos(conf, LocalCacheKeys.RULES_INTERVAL, "1s", "7d"))),
        MAX_BLOCKS,
        mistakes.read(null, () -> LocalCacheConfig.path(conf, LocalCacheKeys.PINS_DIRECTORY,
            "must be the absolute path of a directory, or empty")));
    mistakes.throwIfAny();
    return config;
  }
}

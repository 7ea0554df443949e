/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.RulesConfig;
import io.hdfslocalcache.plugin.health.HealthLimits;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.apache.hadoop.conf.Configuration;

/** The configuration of a local cache in a test, with keys for what is constant in production. */
public final class TestingConfig {

  private static final String PREFIX = "io.hdfslocalcache.testing.";

  /** Threads for each SSD that read what is not in memory. */
  public static final String IO_THREADS = PREFIX + "io.threads";

  /** Time between probes of an SSD that is not in its normal state. */
  public static final String PROBE_INTERVAL = PREFIX + "probe.interval";

  /** Threads for each SSD that write what reads have missed. */
  public static final String FILL_THREADS = PREFIX + "fill.threads";

  /** Blocks of rules' paths that are remembered. */
  public static final String RULES_MAX_BLOCKS = PREFIX + "rules.max.blocks";

  private TestingConfig() {
  }

  /** Reads the configuration, and the keys of this class. */
  public static LocalCacheConfig from(Configuration conf) throws BadConfigurationException {
    return adapt(LocalCacheConfig.from(conf, PageLayout.ALIGNMENT), conf);
  }

  /** @return the same with the values of this class's keys. */
  public static LocalCacheConfig adapt(LocalCacheConfig config, Configuration conf) {
    HealthLimits limits = config.healthLimits();
    long probeInterval = conf.getTimeDuration(
        PROBE_INTERVAL, limits.probeIntervalNanos(), TimeUnit.NANOSECONDS);
    return new LocalCacheConfig(config.enabled(), config.dryRun(), config.directories(),
        config.configuredDirectories(),
        config.dataDirectories(), config.requireMount(), config.capacity(), config.reservedBytes(), config.pageSize(),
        conf.getInt(FILL_THREADS, config.fillThreads()),
        config.fillRate(), config.memoryBytes(), config.memoryDirectory(),
        conf.getInt(IO_THREADS, config.ioThreads()),
        new HealthLimits(limits.deadlineNanos(), probeInterval), config.endurance(),
        config.restore(), config.slowReadNanos());
  }

  /** @return the same with the pages, and those in memory, in other directories. */
  public static LocalCacheConfig in(List<Path> ssds, Path directory, LocalCacheConfig config) {
    return new LocalCacheConfig(config.enabled(), config.dryRun(), ssds, ssds,
        config.dataDirectories(), config.requireMount(), config.capacity(), config.reservedBytes(),
        config.pageSize(), config.fillThreads(), config.fillRate(), config.memoryBytes(), directory,
        config.ioThreads(), config.healthLimits(), config.endurance(), config.restore(),
        config.slowReadNanos());
  }

  /** @return the same with the values of this class's keys. */
  public static RulesConfig adapt(RulesConfig config, Configuration conf) {
    return new RulesConfig(config.file(), config.intervalMillis(),
        conf.getInt(RULES_MAX_BLOCKS, config.maxBlocks()), config.pinsDirectory());
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.health.HealthLimits;
import org.apache.hadoop.conf.Configuration;

/** The settings of a local cache in a test, with values where operators have constants. */
public final class TestingConfig {

  /** Threads for each SSD that read what is not in memory. */
  public static final String IO_THREADS = "io.hdfslocalcache.testing.io.threads";

  /** Time between probes of an SSD that is not in its normal state. */
  public static final String PROBE_INTERVAL = "io.hdfslocalcache.testing.probe.interval";

  private TestingConfig() {
  }

  /** Reads the settings, and the keys of this class. */
  public static LocalCacheConfig from(Configuration conf) throws BadConfigurationException {
    LocalCacheConfig config = LocalCacheConfig.from(conf);
    HealthLimits limits = config.healthLimits();
    long probeInterval = conf.getTimeDuration(
        PROBE_INTERVAL, limits.probeIntervalNanos(), TimeUnit.NANOSECONDS);
    return new LocalCacheConfig(config.enabled(), config.directories(), config.requireMount(),
        config.capacity(), config.reservedBytes(), config.pageSize(), config.fillThreads(),
        config.fillRate(), config.memoryBytes(), config.memoryDirectory(),
        conf.getInt(IO_THREADS, config.ioThreads()),
        new HealthLimits(limits.deadlineNanos(), probeInterval), config.restore(),
        config.slowReadNanos());
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import org.apache.hadoop.conf.Configuration;

/** The settings of a local cache in a test, with values where operators have constants. */
public final class TestingConfig {

  /** Threads for each SSD that read what is not in memory. */
  public static final String IO_THREADS = "io.hdfslocalcache.testing.io.threads";

  private TestingConfig() {
  }

  /** Reads the settings, and the keys of this class. */
  public static LocalCacheConfig from(Configuration conf) throws BadConfigurationException {
    LocalCacheConfig config = LocalCacheConfig.from(conf);
    return new LocalCacheConfig(config.enabled(), config.directories(), config.requireMount(),
        config.capacity(), config.reservedBytes(), config.pageSize(), config.fillThreads(),
        config.fillRate(), config.memoryBytes(), config.memoryDirectory(),
        conf.getInt(IO_THREADS, config.ioThreads()), config.healthLimits(), config.restore(),
        config.slowReadNanos());
  }
}

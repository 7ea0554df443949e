/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.conf.Configuration;

/** The local cache with the settings of {@link TestingConfig}. */
public final class TestingInterceptor extends LocalCacheInterceptor {

  @Override
  StartSettings read(Configuration conf) throws BadConfigurationException {
    return StartSettings.from(conf, TestingConfig::from);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.conf.Configuration;

/** The local cache with the configuration of {@link TestingConfig}. */
public final class TestingInterceptor extends LocalCacheInterceptor {

  /** Allows pages as small as possible. */
  public TestingInterceptor() {
    super(PageLayout.ALIGNMENT);
  }

  @Override
  StartConfig read(Configuration conf) throws BadConfigurationException {
    StartConfig start = super.read(conf);
    return new StartConfig(TestingConfig.adapt(start.cache(), conf), start.trace(),
        TestingConfig.adapt(start.rules(), conf));
  }
}

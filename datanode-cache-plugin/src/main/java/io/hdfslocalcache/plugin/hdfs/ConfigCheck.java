/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.plugin.admin.RuntimeSettings;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.UnknownKeys;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;

/**
 * Reads a configuration as the DataNode does when it starts, but on any host: opens no SSD, and
 * changes nothing.
 */
public final class ConfigCheck {

  private ConfigCheck() {
  }

  /**
   * @param conf the DataNode's configuration
   * @return what an operator should know, a line each; none if all is well
   * @throws BadConfigurationException with the message with which the DataNode would not start
   */
  public static List<String> warnings(Configuration conf) throws BadConfigurationException {
    List<String> warnings = new ArrayList<>(UnknownKeys.of(conf));
    if (conf.getTrimmed(BlockReaderInterceptor.CLASS_KEY, "").isEmpty()) {
      warnings.add(BlockReaderInterceptor.CLASS_KEY + " is not set: the local cache is not in use");
    }
    StartConfig start = StartConfig.read(conf);
    new RuntimeSettings(conf, TimeAndThreads.get()::currentTimeMillis);
    if (start.rules().file() != null && !Files.exists(start.rules().file())) {
      warnings.add(LocalCacheKeys.RULES_FILE + " = " + start.rules().file()
          + ": is not on this host, and was not checked");
    } else {
      start.openRules(new LocalCacheMetrics()).close();
    }
    return warnings;
  }
}

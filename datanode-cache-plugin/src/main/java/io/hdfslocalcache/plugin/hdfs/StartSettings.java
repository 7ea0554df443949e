/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.nio.file.Path;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.DryRunConfig;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.RuleSettings;
import io.hdfslocalcache.plugin.config.TraceConfig;
import io.hdfslocalcache.plugin.trace.TraceSettings;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a DataNode's configuration says of the local cache when the DataNode starts.
 *
 * @param traces whether the trace of reads begins at once
 */
record StartSettings(LocalCacheConfig cache, DryRunConfig dryRun, TraceSettings trace,
    boolean traces, RuleSettings rules) {

  private static final Logger LOG = LoggerFactory.getLogger(StartSettings.class);

  /** Reads the settings of the local cache itself. */
  interface CacheSettings {
    LocalCacheConfig from(Configuration conf) throws BadConfigurationException;
  }

  /** @throws BadConfigurationException if a value is not allowed */
  static StartSettings from(Configuration conf) throws BadConfigurationException {
    return from(conf, LocalCacheConfig::from);
  }

  static StartSettings from(Configuration conf, CacheSettings settings)
      throws BadConfigurationException {
    return new StartSettings(settings.from(withoutRestoreAtRollback(conf)),
        DryRunConfig.from(conf), TraceConfig.from(conf, logDirectory()), TraceConfig.enabled(conf),
        RuleSettings.from(conf));
  }

  /**
   * A rollback takes generation stamps back, which are then given again to other bytes: the one
   * case in which a page of before is no longer told apart by its key.
   */
  private static Configuration withoutRestoreAtRollback(Configuration conf) {
    String option = conf.get(DFSConfigKeys.DFS_DATANODE_STARTUP_KEY, "");
    if (!option.equals(StartupOption.ROLLBACK.toString())) {
      return conf;
    }
    LOG.info("Local cache: this is a rollback, pages of before are cleared");
    Configuration cleared = new Configuration(conf);
    cleared.setBoolean(LocalCacheKeys.RESTORE, false);
    return cleared;
  }

  private static Path logDirectory() {
    return Path.of(System.getProperty("hadoop.log.dir", System.getProperty("java.io.tmpdir")));
  }

  /** @return where pins are kept, for all DataNodes that share it; null if there is no place. */
  Path pinsDirectory() {
    return rules.pinsDirectory() != null || cache.directories().isEmpty()
        ? rules.pinsDirectory() : cache.directories().get(0);
  }

  /** @return whether pins are kept on an SSD. */
  boolean keepsPinsOnSsd() {
    return cache.directories().contains(pinsDirectory());
  }
}

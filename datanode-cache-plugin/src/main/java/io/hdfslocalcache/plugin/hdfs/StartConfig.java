/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.Mistakes;
import io.hdfslocalcache.plugin.config.RulesConfig;
import io.hdfslocalcache.plugin.config.TraceConfig;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.rules.BadRulesException;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.ssd.KeptState;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** The configuration of the local cache at the DataNode's start. */
record StartConfig(
    LocalCacheConfig cache, TraceConfig trace, RulesConfig rules) {

  /**
   * Reads the configuration.
   *
   * @param leastPageSize minimum bytes in a page; fewer than in production only in a test
   * @throws BadConfigurationException if values are not allowed; it names all of them
   */
  static StartConfig read(Configuration conf, int leastPageSize)
      throws BadConfigurationException {
    Mistakes mistakes = new Mistakes();
    LocalCacheConfig cache =
        mistakes.read(null, () -> LocalCacheConfig.from(conf, leastPageSize));
    List<URI> data = mistakes.read(List.of(), () -> dataDirectories(conf));
    StartConfig start = new StartConfig(cache == null ? null : cache.outside(data),
        mistakes.read(null, () -> TraceConfig.from(conf, logDirectory())),
        mistakes.read(null, () -> RulesConfig.from(conf)));
    mistakes.throwIfAny();
    return start;
  }

  private static List<URI> dataDirectories(Configuration conf) throws BadConfigurationException {
    try {
      return DataNode.getStorageLocations(conf).stream()
          .map(location -> location.getUri()).toList();
    } catch (IllegalArgumentException e) {
      throw new BadConfigurationException(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY,
          conf.getTrimmed(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY),
          "must be directories that the DataNode can use, each alone or after one of the types "
              + Arrays.toString(StorageType.values()) + " in brackets: " + e.getMessage());
    }
  }

  private static Path logDirectory() {
    return Path.of(System.getProperty("hadoop.log.dir", System.getProperty("java.io.tmpdir")));
  }

  /** @throws BadConfigurationException if the rules file is not valid */
  RuleKeeper openRules(LocalCacheMetrics metrics) throws BadConfigurationException {
    try {
      return new RuleKeeper(rules.file(), rules.intervalMillis(), rules.maxBlocks(),
          cache.pageSize(), metrics);
    } catch (BadRulesException e) {
      throw new BadConfigurationException(LocalCacheKeys.RULES_FILE + " = " + e.getMessage());
    }
  }

  /** @return the DataNode's saved state, not read yet. A dry run saves nothing. */
  KeptState kept(String datanodeUuid) {
    if (cache.dryRun()) {
      return KeptState.nowhere();
    }
    Path extra = rules.pinsDirectory();
    return new KeptState(
        cache.directories().stream().map(place -> place.resolve(datanodeUuid)).toList(),
        extra == null ? null : extra.resolve(datanodeUuid),
        cache.healthLimits().writeDeadlineNanos());
  }
}

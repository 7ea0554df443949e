/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.Closeable;
import java.util.List;

import io.hdfslocalcache.plugin.admin.GhostStatus;
import io.hdfslocalcache.plugin.admin.LocalCacheSwitch;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.DryRunConfig;
import io.hdfslocalcache.plugin.dryrun.Ghost;
import io.hdfslocalcache.plugin.dryrun.Ghosts;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a DataNode only plays through: its ghosts, and their metrics. Most have none. It is the
 * operator's switch, too: if nothing is served from an SSD, there is nothing else to switch. On,
 * ghosts follow the reads; off, they only count them.
 */
final class DryRun implements LocalCacheSwitch, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(DryRun.class);

  private final DryRunConfig config;
  private final String displayName;
  private final LocalCacheSwitch localCache;
  private volatile Ghosts ghosts = Ghosts.none();

  /**
   * @param displayName tells the DataNodes of one JVM apart
   * @param localCache the switch itself
   */
  DryRun(DryRunConfig config, String displayName, LocalCacheSwitch localCache) {
    this.config = config;
    this.displayName = displayName.replace(':', '-');
    this.localCache = localCache;
  }

  /** @return one of a DataNode that has not read its settings yet. */
  static DryRun none() {
    return new DryRun(new DryRunConfig(false, List.of(), 0), "", null);
  }

  /** @return whether anything is played through. */
  boolean isWanted() {
    return !config.ghosts().isEmpty();
  }

  /** Begins, unless it has or there is nothing to do. @return whether it has begun now */
  boolean start(ReplicaAccess replicas, RateLimiterClock clock)
      throws BadConfigurationException {
    if (!ghosts.isEmpty() || !isWanted()) {
      return false;
    }
    Ghosts started = new Ghosts(config, replicas, localCache::isOn, clock);
    started.all().forEach(this::register);
    ghosts = started;
    LOG.info("Local cache: {} with ghosts {}",
        config.dryRun() ? "dry run" : "runs beside a dry run", started.all());
    return true;
  }

  private void register(Ghost ghost) {
    DefaultMetricsSystem.instance().register(source(ghost), "A dry run of the local cache",
        LocalCacheMetricsSource.ofGhost(
            ghost.name(), ghost.metrics(), ghost::gauges, ghost::admission));
  }

  private String source(Ghost ghost) {
    return LocalCacheMetricsSource.DRY_RUN_RECORD + '-' + ghost.name() + '-' + displayName;
  }

  /** @return the ghosts; none before the DataNode's storage is ready. */
  Ghosts ghosts() {
    return ghosts;
  }

  @Override
  public boolean isOn() {
    return localCache.isOn();
  }

  @Override
  public void setOn(boolean on, String why) {
    localCache.setOn(on, why);
  }

  @Override
  public String describe() {
    return config.dryRun() ? "(dry run: ghosts " + (isOn() ? "follow reads" : "are paused")
        + "; nothing is written to or served from an SSD)" : localCache.describe();
  }

  @Override
  public boolean isDryRun() {
    return config.dryRun();
  }

  @Override
  public List<GhostStatus> ghostStatus() {
    return ghosts.status();
  }

  @Override
  public void close() {
    Ghosts open = ghosts;
    ghosts = Ghosts.none();
    open.all().forEach(
        ghost -> DefaultMetricsSystem.instance().unregisterSource(source(ghost)));
    open.close();
  }
}

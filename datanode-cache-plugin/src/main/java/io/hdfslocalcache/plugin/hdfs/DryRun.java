/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.Closeable;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.hdfslocalcache.plugin.admin.GhostStatus;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.DryRunConfig;
import io.hdfslocalcache.plugin.dryrun.Ghost;
import io.hdfslocalcache.plugin.dryrun.Ghosts;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a DataNode only plays through; most play nothing through, which costs nothing. */
final class DryRun implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(DryRun.class);

  private final DryRunConfig config;
  private final String displayName;
  private volatile Ghosts ghosts;

  /** @param displayName tells the DataNodes of one JVM apart */
  DryRun(DryRunConfig config, String displayName) {
    this.config = config;
    this.displayName = displayName.replace(':', '-');
  }

  /** @return one in which nothing is played through. */
  static DryRun none() {
    return new DryRun(new DryRunConfig(false, List.of(), 0), "");
  }

  /** @return whether nothing is written to, or served from, an SSD. */
  boolean isAll() {
    return config.dryRun();
  }

  /** @return whether anything is played through. */
  boolean isWanted() {
    return !config.ghosts().isEmpty();
  }

  /** Begins, unless it has or there is nothing to do. */
  void start(ReplicaAccess replicas, BooleanSupplier on, RateLimiterClock clock)
      throws BadConfigurationException {
    if (ghosts == null && isWanted()) {
      Ghosts started = new Ghosts(config, replicas, on, clock);
      started.all().forEach(this::register);
      ghosts = started;
      LOG.info("Local cache: {} with ghosts {}",
          isAll() ? "dry run" : "runs beside a dry run", started.all());
    }
  }

  private void register(Ghost ghost) {
    DefaultMetricsSystem.instance().register(source(ghost), "A dry run of the local cache",
        LocalCacheMetricsSource.ofGhost(
            ghost.name(), ghost.metrics(), ghost::gauges, ghost::admission));
  }

  private String source(Ghost ghost) {
    return LocalCacheMetricsSource.DRY_RUN_RECORD + '-' + ghost.name() + '-' + displayName;
  }

  /** @return the ghosts, or null before the DataNode's storage is ready or if there are none. */
  Ghosts ghosts() {
    return ghosts;
  }

  /**
   * A client begins to read.
   *
   * @param rule the account of the operator's rule for it, or null
   * @param length bytes asked for; negative: all
   * @return the read as ghosts see it, or null if they do not; never throws
   */
  Ghosts.Reading beginRead(String clientName, RuleAccount rule, ReplicaSnapshot snapshot,
      long known, ReadOutcome bypass, long offset, long length) {
    Ghosts open = ghosts;
    long rest = snapshot.length() - offset;
    long to = length < 0 || length > rest ? snapshot.length() : offset + length;
    return open == null ? null
        : open.beginRead(clientName, rule, snapshot, known, bypass, offset, to);
  }

  /** @return how the ghosts do. */
  List<GhostStatus> status() {
    Ghosts open = ghosts;
    return open == null ? List.of() : open.status();
  }

  /** A replica has changed; as {@link Ghosts#replicaChanged}. */
  void replicaChanged(BlockKey key, ReplicaSnapshot after, boolean appending) {
    Ghosts open = ghosts;
    if (open != null) {
      open.replicaChanged(key, after, appending);
    }
  }

  /** All replicas of a block pool are gone. */
  void blockPoolRemoved(String blockPoolId) {
    Ghosts open = ghosts;
    if (open != null) {
      open.blockPoolRemoved(blockPoolId);
    }
  }

  /** The DataNode begins to shut down. */
  void shutdownBegins() {
    Ghosts open = ghosts;
    if (open != null) {
      open.shutdownBegins();
    }
  }

  @Override
  public void close() {
    Ghosts open = ghosts;
    ghosts = null;
    if (open != null) {
      open.all().forEach(
          ghost -> DefaultMetricsSystem.instance().unregisterSource(source(ghost)));
      open.close();
    }
  }
}

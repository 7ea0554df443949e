/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.dryrun;

import java.util.List;
import java.util.function.Supplier;

import io.hdfslocalcache.plugin.admin.GhostStatus;
import io.hdfslocalcache.plugin.admin.LocalCacheSwitch;

/**
 * The operator's switch of a DataNode with ghosts. In a dry run there is nothing else to switch:
 * on, ghosts follow the reads; off, they only count them.
 */
public final class DryRunSwitch implements LocalCacheSwitch {

  private final LocalCacheSwitch localCache;
  private final boolean dryRun;
  private final Supplier<List<GhostStatus>> ghosts;

  /**
   * @param localCache the switch itself
   * @param dryRun whether nothing is served from an SSD
   * @param ghosts tells how they do
   */
  public DryRunSwitch(LocalCacheSwitch localCache, boolean dryRun,
      Supplier<List<GhostStatus>> ghosts) {
    this.localCache = localCache;
    this.dryRun = dryRun;
    this.ghosts = ghosts;
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
    return dryRun ? "(dry run: ghosts " + (isOn() ? "follow reads" : "are paused")
        + "; nothing is written to or served from an SSD)" : localCache.describe();
  }

  @Override
  public boolean isDryRun() {
    return dryRun;
  }

  @Override
  public List<GhostStatus> ghosts() {
    return ghosts.get();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.List;

/**
 * What an operator can switch in one DataNode. Called by IPC handler threads, by several at once:
 * implementations must be thread-safe and must not block on the disk or the SSD.
 */
public interface LocalCacheSwitch {

  /** Whether reads are offered to the local cache now. */
  boolean isOn();

  /**
   * Switches the local cache. It holds for the next read, and for reads in progress at their next
   * page. It is volatile: a restart returns to {@code dfs.datanode.local.cache.enabled}. Switching
   * to the present state changes nothing.
   *
   * @param on the wanted state
   * @param why who asked for it, for the log
   */
  void setOn(boolean on, String why);

  /**
   * What an operator should know beyond on or off, e.g. an SSD that is left out.
   *
   * @return one line, or the empty string when there is nothing to add
   */
  String describe();

  /** @return whether all is only played through: nothing is written to, or served from, an SSD. */
  default boolean isDryRun() {
    return false;
  }

  /** @return the settings that are played through; empty if there are none, or not yet. */
  default List<GhostStatus> ghostStatus() {
    return List.of();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.List;

/**
 * What is only played through on a DataNode.
 *
 * @param dryRun whether that is all: nothing is written to, or served from, an SSD
 * @param ghosts the settings that are played through; empty if there are none, or not yet
 */
public record DryRunStatus(boolean dryRun, List<GhostStatus> ghosts) {

  /** Nothing is. */
  static final DryRunStatus NONE = new DryRunStatus(false, List.of());
}

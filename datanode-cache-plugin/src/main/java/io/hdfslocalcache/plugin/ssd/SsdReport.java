/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.nio.file.Path;

import io.hdfslocalcache.plugin.health.SsdState;

/**
 * How one SSD does, for all who show it: metrics, the DataNode's web page, and commands.
 *
 * @param directory as configured
 * @param reason why the state is not NORMAL; empty if it is
 * @param usedBytes bytes that page files take
 * @param capacityBytes bytes that page files may take
 * @param pages number of cached pages
 * @param busyThreads threads that do something on the SSD now, or are held by it
 */
public record SsdReport(Path directory, SsdState state, String reason, long usedBytes,
    long capacityBytes, long pages, int busyThreads) {

  static SsdReport of(SsdDirectory ssd) {
    return new SsdReport(ssd.path(), ssd.io().health().state(), ssd.io().health().reason(),
        ssd.usedBytes(), ssd.capacityBytes(), ssd.pages().count(), ssd.io().activeThreads());
  }

  /** Of one that could not be opened yet. */
  static SsdReport absent(Path directory, String reason) {
    return new SsdReport(directory, SsdState.DOWN, reason, 0, 0, 0, 0);
  }
}

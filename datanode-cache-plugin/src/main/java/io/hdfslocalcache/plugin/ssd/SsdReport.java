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
 * @param reason why the state is not NORMAL; if it is, that the SSD is drained, or empty
 * @param usedBytes bytes that page files take
 * @param capacityBytes bytes that page files may take
 * @param pages number of cached pages
 * @param busyThreads threads that do something on the SSD now, or are held by it
 * @param wear what has been written to it
 */
public record SsdReport(Path directory, SsdState state, String reason, long usedBytes,
    long capacityBytes, long pages, int busyThreads, SsdWear.Report wear) {

  private static final String DRAINED = "drained: no page is added, and all leave";

  /** @param isDrained whether no block goes there any more */
  static SsdReport of(SsdDirectory ssd, boolean isDrained) {
    String reason = ssd.io().health().reason();
    return new SsdReport(ssd.path(), ssd.io().health().state(),
        reason.isEmpty() && isDrained ? DRAINED : reason,
        ssd.usedBytes(), ssd.capacityBytes(), ssd.pages().count(), ssd.io().activeThreads(),
        ssd.wear().report());
  }

  /** Of one that could not be opened yet. */
  static SsdReport absent(Path directory, String reason) {
    return new SsdReport(directory, SsdState.DOWN, reason, 0, 0, 0, 0,
        SsdWear.Report.NONE);
  }
}

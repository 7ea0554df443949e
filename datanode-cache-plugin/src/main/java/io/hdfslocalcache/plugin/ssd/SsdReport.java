/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.health.SsdState;

/**
 * State of an SSD for metrics, the DataNode's web page, and commands.
 *
 * @param directory as configured
 * @param reason that the SSD is drained, and why the state is not NORMAL; if it is NORMAL: that the
 *     SSD is busy, that files of removed pages could not be deleted, that there is less space than
 *     configured, that its saved state was damaged, or empty
 * @param usedBytes bytes that page files take
 * @param capacityBytes bytes that page files may take; of a drained SSD, until they have left
 * @param pages number of cached pages
 * @param busyThreads threads that work on the SSD now, or are blocked by it
 * @param wear bytes written to it
 * @param undeletedFiles files of removed pages that could not be deleted, as far as known
 * @param isDrained whether no more blocks are written there
 * @param noSpace why there is no space for any page; empty if there is some, or the SSD is drained
 */
public record SsdReport(Path directory, SsdState state, String reason, long usedBytes,
    long capacityBytes, long pages, int busyThreads, SsdWear.Report wear,
    long undeletedFiles, boolean isDrained, String noSpace) {

  private static final String DRAINED = "drained: no page is added, all are evicted";

  /** @param isDrained whether no more blocks are written there */
  static SsdReport of(SsdDirectory ssd, boolean isDrained) {
    String noSpace = isDrained ? "" : noSpace(ssd);
    return new SsdReport(ssd.path(), ssd.io().health().state(),
        orDrained(reason(ssd, noSpace), isDrained), ssd.usedBytes(), ssd.capacityBytes(),
        ssd.pages().count(), ssd.io().activeThreads(), ssd.wear().report(), ssd.undeletedFiles(),
        isDrained, noSpace);
  }

  private static String orDrained(String reason, boolean isDrained) {
    return !isDrained ? reason : reason.isEmpty() ? DRAINED : "drained; " + reason;
  }

  private static String noSpace(SsdDirectory ssd) {
    return ssd.hasSpace() ? ""
        : ssd.foundNoSpace()
            ? "a write found no space on the SSD: see its inodes (df -i) and quotas"
        : "other files leave no space on the SSD";
  }

  private static String reason(SsdDirectory ssd, String noSpace) {
    String reason = ssd.io().health().reason();
    long undeleted = ssd.undeletedFiles();
    if (undeleted != 0) {
      return (reason.isEmpty() ? "" : reason + "; ")
          + "files of removed pages that could not be deleted: " + undeleted + ", the first "
          + TimeUnit.MILLISECONDS.toSeconds(ssd.undeletedMillis()) + " s ago";
    }
    if (!reason.isEmpty()) {
      return reason;
    }
    if (!noSpace.isEmpty()) {
      return noSpace;
    }
    return ssd.capacityBytes() >= ssd.configuredBytes() ? ssd.remark()
        : (ssd.foundNoSpace() ? "a write found no space; pages get "
            : "other files leave space for ")
            + Sizes.text(ssd.capacityBytes(), ssd.configuredBytes())
            + " of " + Sizes.text(ssd.configuredBytes(), ssd.capacityBytes());
  }

  /** Stands for the SSD of a block while none is in use. */
  public static final SsdReport NONE = absent(Path.of("no SSD"), "no SSD is in use", false);

  /** For an SSD that could not be opened yet. */
  static SsdReport absent(Path directory, String reason, boolean isDrained) {
    return new SsdReport(directory, SsdState.DOWN, orDrained(reason, isDrained), 0, 0, 0, 0,
        SsdWear.Report.NONE, 0, isDrained, "");
  }

  /** @return whether pages can be added to it now. */
  public boolean isFilled() {
    return !isDrained && state.isFillable() && noSpace.isEmpty();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.util.concurrent.TimeUnit;

/**
 * What is too much for an SSD.
 *
 * @param deadlineNanos how long a reader waits for the SSD
 * @param probeIntervalNanos time between probes of an SSD that is not in its normal state
 */
public record HealthLimits(long deadlineNanos, long probeIntervalNanos) {

  /** Time within which errors are added up. */
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);
  /** Read errors in the window with which an SSD is down. */
  static final int READ_ERRORS = 5;
  /** Write errors in the window with which an SSD takes no more pages. */
  static final int WRITE_ERRORS = 3;
  /** Damaged pages in the window with which an SSD is down. */
  static final int DAMAGED_PAGES = 32;
  /** Probes in a row with which an SSD is normal again. */
  static final int GOOD_PROBES = 3;
  /** Reads after which the average time of a read counts. */
  static final int LATENCY_SAMPLES = 32;
  /** Reads whose average counts once a read has waited for too long. */
  static final int RECENT_SAMPLES = 8;
  /** An idle hard disk begins to read after so long. */
  static final long DISK_SEEK_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
  /** So long it is said of an SSD that it is busy, since it was found so. */
  static final long BUSY_NANOS = TimeUnit.MINUTES.toNanos(1);
  /** A write or unlink may wait for the SSD to write back other pages. */
  private static final int WRITE_PATIENCE = 10;

  /** @return average time of a read from which an SSD is down: a hard disk is no slower. */
  long downLatencyNanos() {
    return deadlineNanos / 4;
  }

  /** @return average time of a read from which an SSD is spared writes. */
  long slowLatencyNanos() {
    return deadlineNanos / 10;
  }

  /** @return time from which a write or unlink counts as hung. */
  public long writeDeadlineNanos() {
    return WRITE_PATIENCE * deadlineNanos;
  }
}

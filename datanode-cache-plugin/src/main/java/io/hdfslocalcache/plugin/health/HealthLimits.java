/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.util.concurrent.TimeUnit;

/**
 * Limits beyond which an SSD counts as unhealthy.
 *
 * @param deadlineNanos how long a read waits for the SSD
 * @param probeIntervalNanos time between probes of an SSD that is not in its normal state
 */
public record HealthLimits(long deadlineNanos, long probeIntervalNanos) {

  /** Window in which errors are counted. */
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);
  /** Read errors in the window that take an SSD down. */
  static final int READ_ERRORS = 5;
  /** Write errors in the window after which no more pages are written to an SSD. */
  static final int WRITE_ERRORS = 3;
  /** Damaged pages in the window that take an SSD down. */
  static final int DAMAGED_PAGES = 32;
  /** Good probes in a row after which an SSD is normal again. */
  static final int GOOD_PROBES = 3;
  /** Reads after which their average time is used. */
  static final int LATENCY_SAMPLES = 32;
  /** A read of an SSD may take so many times as long as one of the volumes that it relieves. */
  static final int RELIEF = 2;
  /** Reads whose average is used once a read has waited too long. */
  static final int RECENT_SAMPLES = 8;
  /** Time until an idle hard disk begins to read. */
  static final long DISK_SEEK_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
  /** How long readers fill no page after reads of the SSD were slow. */
  static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  /** How long an SSD is reported as busy after it was found so. */
  static final long BUSY_NANOS = TimeUnit.MINUTES.toNanos(1);
  /** A write or unlink may wait for the SSD to write back other pages. */
  private static final int WRITE_PATIENCE = 10;

  /** @return average read time that takes an SSD down: that of a hard disk. */
  long downLatencyNanos() {
    return deadlineNanos / 4;
  }

  /** @return average read time from which an SSD gets no more writes for a moment. */
  long slowLatencyNanos() {
    return deadlineNanos / 10;
  }

  /** @return time from which a write or unlink counts as hung. */
  public long writeDeadlineNanos() {
    return WRITE_PATIENCE * deadlineNanos;
  }
}

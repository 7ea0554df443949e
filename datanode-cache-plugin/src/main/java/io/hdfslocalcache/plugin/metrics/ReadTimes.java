/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

/**
 * Counts how long clients' reads waited for the medium, and how many of these waits were long:
 * apart for data volumes and SSDs. Counting takes no lock.
 */
public final class ReadTimes {

  private final LocalCacheMetrics metrics;
  private final long slowNanos;

  /** @param slowNanos a wait of more nanoseconds than these is slow. */
  public ReadTimes(LocalCacheMetrics metrics, long slowNanos) {
    this.metrics = metrics;
    this.slowNanos = slowNanos;
  }

  /** A packet's data was read from the replica on a data volume, or from the memory before it. */
  public void volume(long nanos) {
    took(nanos, Event.READ_NANOS_HDD, Event.SLOW_READS_HDD);
  }

  /** Data of a page that was not in memory was waited for, to its end or in vain. */
  public void ssd(long nanos) {
    took(nanos, Event.READ_NANOS_SSD, Event.SLOW_READS_SSD);
  }

  /** A client's read is over, which sent so many bytes and took so long in all. */
  public void read(ReadOutcome outcome, long bytes, long nanos) {
    metrics.readTook(outcome, bytes, nanos);
  }

  private void took(long nanos, Event all, Event slow) {
    metrics.add(all, nanos);
    if (nanos > slowNanos) {
      metrics.count(slow);
    }
  }
}

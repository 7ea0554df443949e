/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Directory;

/**
 * Some figures of each minute of the last hour, for operators without monitoring. Lost at a
 * restart.
 */
public final class LastHour {

  /** Number of samples kept: their differences are 60 minutes. */
  static final int MOST = 61;

  /**
   * The figures at one time. Bytes read and written count from the DataNode's start.
   *
   * @param millis when, as {@link System#currentTimeMillis}
   * @param ssdBytes sent to clients from SSDs
   * @param memoryBytes sent to clients from memory
   * @param volumeBytes sent to clients from data volumes
   * @param writtenBytes of page files that were written
   * @param usedBytes of page files
   * @param capacityBytes for page files
   * @param ssds number of SSDs
   * @param notNormal number of SSDs that were degraded, probing or down
   */
  public record Sample(long millis, long ssdBytes, long memoryBytes, long volumeBytes,
      long writtenBytes, long usedBytes, long capacityBytes, int ssds, int notNormal) {
  }

  private final Deque<Sample> samples = new ArrayDeque<>();

  /** Takes a sample and drops the oldest. To be called once a minute. */
  public void add(LocalCacheMetrics counters, List<Directory> ssds, long millis) {
    long memory = counters.total(Event.BYTES_MEMORY);
    add(new Sample(millis, Math.max(0, counters.total(Event.BYTES_HIT) - memory), memory,
        counters.total(Event.BYTES_MISS) + counters.total(Event.BYTES_BYPASS),
        counters.total(Event.FILL_WRITTEN_BYTES),
        ssds.stream().mapToLong(Directory::usedBytes).sum(),
        ssds.stream().mapToLong(Directory::capacityBytes).sum(),
        ssds.size(), (int) ssds.stream().filter(ssd -> ssd.state() != 0).count()));
  }

  private synchronized void add(Sample sample) {
    samples.add(sample);
    if (samples.size() > MOST) {
      samples.remove();
    }
  }

  /** @return the samples, the oldest first. */
  public synchronized List<Sample> samples() {
    return List.copyOf(samples);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long recent reads waited for each data volume. This distinguishes a volume whose bytes are in
 * the OS page cache, an idle disk and a busy disk.
 */
public final class VolumeWaits {

  /** A long read counts as several of this size, in bytes. */
  private static final long READ_BYTES = 256 << 10;
  /** The OS page cache takes fewer nanoseconds per byte, a disk more. */
  private static final long NANOS_PER_BYTE = 1;
  /** A new read has a weight of 1 / WEIGHT in the mean. */
  private static final int WEIGHT = 16;
  /** The initial mean of a volume: that of an idle disk. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
  /** Highest mean of the OS page cache. A disk reads 256 KiB in twice the time. */
  private static final long MEMORY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  /** Lowest mean of a disk where reads wait for each other. */
  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  /** A read that takes longer met a fault, not a queue, and does not predict the next one. */
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ConcurrentHashMap<String, AtomicLong> means = new ConcurrentHashMap<>();

  /**
   * Bytes were read from a volume, or from the OS page cache instead.
   *
   * @param volume its directory, or null if not known
   * @param nanos duration
   */
  public void read(String volume, long bytes, long nanos) {
    if (volume == null) {
      return;
    }
    long waited = Math.max(0, nanos - bytes * NANOS_PER_BYTE) / reads(bytes);
    long counted = Math.min(waited, LONGEST_NANOS);
    means.computeIfAbsent(volume, directory -> new AtomicLong(IDLE_NANOS))
        .updateAndGet(mean -> mean + (counted - mean) / WEIGHT);
  }

  private static long reads(long bytes) {
    return Math.max(1, (bytes + READ_BYTES - 1) / READ_BYTES);
  }

  /** @return whether nearly all reads of a volume are served by the OS page cache. */
  public boolean isMemory(String volume) {
    return mean(volume) < MEMORY_NANOS;
  }

  /** @return whether reads wait for each other at a volume. */
  public boolean isBusy(String volume) {
    return mean(volume) >= BUSY_NANOS;
  }

  /** @return mean wait of reads of so many bytes for each other; 0 if none. */
  public long busyNanos(String volume, long bytes) {
    return isBusy(volume) ? mean(volume) * reads(bytes) : 0;
  }

  /** @return how long a read waits in the mean of all volumes, in nanoseconds. */
  public long meanNanos() {
    return (long) means.values().stream().mapToLong(AtomicLong::get).average().orElse(IDLE_NANOS);
  }

  /** @return how long a read waits in the mean, in nanoseconds, by the volume's directory. */
  public Map<String, Long> nanosByVolume() {
    Map<String, Long> nanos = new TreeMap<>();
    means.forEach((volume, mean) -> nanos.put(volume, mean.get()));
    return nanos;
  }

  private long mean(String volume) {
    AtomicLong mean = volume == null ? null : means.get(volume);
    return mean == null ? IDLE_NANOS : mean.get();
  }
}

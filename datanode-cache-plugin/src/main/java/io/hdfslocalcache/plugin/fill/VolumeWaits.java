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
 * How long reads have waited for each data volume of late. This tells a volume whose bytes are in the
 * OS page cache from an idle disk, and an idle disk from a busy one.
 */
public final class VolumeWaits {

  /** A long read is taken for several of this size, in bytes. */
  private static final long READ_BYTES = 256 << 10;
  /** The OS page cache copies a byte in less than so many nanoseconds, a disk in more. */
  private static final long NANOS_PER_BYTE = 1;
  /** A new read counts for one part in so many. */
  private static final int WEIGHT = 16;
  /** An idle disk: what a volume is taken for before it is known. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
  /** At most this in the mean: the OS page cache answers. A disk reads 256 KiB in twice the time. */
  private static final long MEMORY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  /** At least this in the mean: reads wait for each other. */
  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  /** A read that takes longer has met a fault, not a queue: it says no more of the next one. */
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ConcurrentHashMap<String, AtomicLong> means = new ConcurrentHashMap<>();

  /**
   * Something was read from a volume, or from the OS page cache in its place.
   *
   * @param volume its directory, or null if nobody knows
   * @param nanos how long that took
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

  /** @return whether nearly all that is read from a volume comes from the OS page cache. */
  public boolean isMemory(String volume) {
    return mean(volume) < MEMORY_NANOS;
  }

  /** @return whether reads wait for each other at a volume. */
  public boolean isBusy(String volume) {
    return mean(volume) >= BUSY_NANOS;
  }

  /** @return how long reads of so many bytes wait for each other in the mean; 0 if they do not. */
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

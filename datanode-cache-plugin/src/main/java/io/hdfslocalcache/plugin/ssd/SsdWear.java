/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Bytes written to an SSD: by the local cache since its first use, as saved in {@link KeptState},
 * and by other programs since the SSD was opened.
 */
public final class SsdWear {

  /** Not known. */
  public static final long UNKNOWN = -1;

  private static final long STEP_NANOS = TimeUnit.HOURS.toNanos(1);
  /** The present rate is that of the last day. */
  private static final int STEPS = 24;
  /** In less time, the first filling of an empty SSD does not predict its life. */
  private static final long LEAST_NANOS = STEP_NANOS;

  /**
   * The bytes written.
   *
   * @param writtenBytes by the local cache, since its first use of the SSD
   * @param othersBytes by other programs on the same device, since it was opened, or
   *     {@link #UNKNOWN}
   * @param enduranceBytes bytes that may be written in the SSD's life; 0: not known
   * @param lifeDays days until that is written at the last day's rate, or {@link #UNKNOWN}, also
   *     within the first hour
   */
  public record Report(long writtenBytes, long othersBytes, long enduranceBytes, long lifeDays) {

    /** For an SSD that cannot be used. */
    static final Report NONE = new Report(0, UNKNOWN, 0, UNKNOWN);
  }

  private record Sample(long nanos, long bytes) {
  }

  private final LongSupplier device;
  private final LongSupplier nanoTime;
  /** Since the SSD was opened. */
  private final AtomicLong written = new AtomicLong();
  /** Before it was opened, as far as known. */
  private final AtomicLong before = new AtomicLong();
  private final long deviceAtOpen;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private long others;
  private volatile long endurance;

  /**
   * Starts counting.
   *
   * @param device bytes written to the device by anybody, or {@link #UNKNOWN}
   */
  SsdWear(LongSupplier device, LongSupplier nanoTime) {
    this.device = device;
    this.nanoTime = nanoTime;
    this.deviceAtOpen = device.getAsLong();
    sample();
  }

  /** @return a new count for another SSD in this one's place. */
  SsdWear ofAnother(LongSupplier newDevice) {
    SsdWear another = new SsdWear(newDevice, nanoTime);
    another.setEndurance(endurance);
    return another;
  }

  /** @param kept saved count of bytes written to the SSD */
  void restore(long kept) {
    before.accumulateAndGet(kept - written.get(), Math::max);
  }

  /** @return bytes that the local cache has written to the SSD since its first use. */
  long writtenBytes() {
    return before.get() + written.get();
  }

  /** @param bytes that may be written in the SSD's life; 0: not known */
  void setEndurance(long bytes) {
    endurance = bytes;
  }

  /** Counts bytes written by the local cache. */
  public void wrote(long bytes) {
    written.addAndGet(bytes);
  }

  /** Reads the device's count, and records it once an hour. To be called once a second. */
  synchronized void sample() {
    others = askDevice();
    long now = nanoTime.getAsLong();
    if (samples.isEmpty() || now - samples.getLast().nanos() >= STEP_NANOS) {
      samples.add(new Sample(now, bytes()));
      if (samples.size() > STEPS + 1) {
        samples.remove();
      }
    }
  }

  /** @return the bytes written. */
  synchronized Report report() {
    Sample first = samples.getFirst();
    long nanos = nanoTime.getAsLong() - first.nanos();
    long bytes = bytes();
    double perDay = nanos < LEAST_NANOS ? 0
        : (double) (bytes - first.bytes()) / nanos * TimeUnit.DAYS.toNanos(1);
    long left = Math.max(0, endurance - before.get() - bytes);
    return new Report(writtenBytes(), others, endurance,
        endurance == 0 || perDay <= 0 ? UNKNOWN : (long) (left / perDay));
  }

  /** Bytes written by everybody since the SSD was opened, as far as known. */
  private long bytes() {
    return written.get() + Math.max(0, others);
  }

  private long askDevice() {
    long now = device.getAsLong();
    return now < 0 || deviceAtOpen < 0 ? UNKNOWN
        : Math.max(0, now - deviceAtOpen - written.get());
  }
}

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
 * How much has been written to an SSD: by the local cache since the SSD was new to it, as
 * {@link KeptState} keeps it, and by all others since the SSD was opened.
 */
public final class SsdWear {

  /** What is not known. */
  public static final long UNKNOWN = -1;

  private static final long STEP_NANOS = TimeUnit.HOURS.toNanos(1);
  /** The present rate is that of the last day. */
  private static final int STEPS = 24;
  /** In less the first filling of an empty SSD says nothing of its life. */
  private static final long LEAST_NANOS = STEP_NANOS;

  /**
   * What has been written.
   *
   * @param writtenBytes by the local cache, since the SSD was new to it
   * @param othersBytes by all others on the same device, since it was opened, or {@link #UNKNOWN}
   * @param enduranceBytes what may be written in the SSD's life; 0: not known
   * @param lifeDays days until that is written if all goes on as in the last day, or
   *     {@link #UNKNOWN}: within the first hour, too
   */
  public record Report(long writtenBytes, long othersBytes, long enduranceBytes, long lifeDays) {

    /** Of an SSD that cannot be used. */
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
   * Begins to count.
   *
   * @param device bytes that anybody has written to the device, or {@link #UNKNOWN}
   */
  SsdWear(LongSupplier device, LongSupplier nanoTime) {
    this.device = device;
    this.nanoTime = nanoTime;
    this.deviceAtOpen = device.getAsLong();
    sample();
  }

  /** @return that of the SSD which is in this one's place now, and of which nothing is known yet. */
  SsdWear ofAnother(LongSupplier newDevice) {
    SsdWear another = new SsdWear(newDevice, nanoTime);
    another.setEndurance(endurance);
    return another;
  }

  /** @param kept what had been written to the SSD when that was kept last */
  void restore(long kept) {
    before.accumulateAndGet(kept - written.get(), Math::max);
  }

  /** @return bytes that the local cache has written to it since the SSD was new to it. */
  long writtenBytes() {
    return before.get() + written.get();
  }

  /** @param bytes that may be written in the SSD's life; 0: not known */
  void setEndurance(long bytes) {
    endurance = bytes;
  }

  /** Counts what the local cache writes. */
  public void wrote(long bytes) {
    written.addAndGet(bytes);
  }

  /** Asks the device, and notes once an hour how much it was. To be called once a second. */
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

  /** @return what has been written. */
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

  /** Of the local cache and of others since the SSD was opened, as far as known. */
  private long bytes() {
    return written.get() + Math.max(0, others);
  }

  private long askDevice() {
    long now = device.getAsLong();
    return now < 0 || deviceAtOpen < 0 ? UNKNOWN
        : Math.max(0, now - deviceAtOpen - written.get());
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * How long one read may wait because of the local cache: for its SSD and its queue, for other
 * readers of the same bytes on the data volume, and for bytes that its client did not request. A
 * wait is charged with the time beyond that of an idle hard disk for the same bytes, or of the
 * read's own volume if it waits for that. When nothing is left, the read continues from the
 * replica, as without a local cache, and no longer waits for others.
 *
 * <p>All waits get their time limit here: the rest of the budget. So no wait can exceed it, and all
 * waits of a read for its SSD take no longer than {@link #longest}. Used by one thread.
 */
public final class WaitBudget {

  /** Something to wait for. */
  public interface Wait {
    /**
     * Waits.
     *
     * @param nanos longest wait
     * @throws IOException if it took longer or failed
     */
    void await(long nanos) throws IOException;
  }

  /** Time of an idle hard disk for a byte: it reads 100 MB in a second. */
  private static final long NANOS_PER_BYTE = 10;

  private final LongSupplier nanoClock;
  private final LongUnaryOperator volumeNanos;
  private long left;
  private long lastBytes;

  /**
   * Creates the budget of a read.
   *
   * @param nanos how much longer it may take than from the data volume
   * @param nanoClock a clock that only goes forward, in nanoseconds
   * @param volumeNanos how long reads of so many bytes wait for the data volume at present; 0 if
   *     none wait
   */
  public WaitBudget(long nanos, LongSupplier nanoClock, LongUnaryOperator volumeNanos) {
    this.left = nanos;
    this.nanoClock = nanoClock;
    this.volumeNanos = volumeNanos;
  }

  /**
   * @param nanos the budget of a read
   * @param bytes of the waits
   * @return the longest total wait of the read in nanoseconds, if its data volume is idle
   */
  public static long longest(long nanos, long bytes) {
    return nanos + bytes * NANOS_PER_BYTE;
  }

  /** @return whether the budget is used up, for the rest of the read. */
  public boolean isOverdrawn() {
    return left <= 0;
  }

  /** @return how long the data volume would take at present for the bytes of the last wait. */
  public long volumeNanos() {
    return ofVolume(lastBytes);
  }

  /**
   * Waits for an SSD within the budget. The time of an idle hard disk is free.
   *
   * @param bytes bytes to wait for
   * @throws IOException if that was not long enough, or the operation failed
   */
  public void await(long bytes, Wait wait) throws IOException {
    await(wait, bytes, bytes * NANOS_PER_BYTE);
  }

  /**
   * Waits for another thread that reads from the data volume. The time that this read would wait
   * there itself is free: on a busy volume, another request would not be faster.
   *
   * @param bytes bytes to wait for
   * @throws IOException if that was not long enough, or the operation failed
   */
  public void awaitVolume(long bytes, Wait wait) throws IOException {
    await(wait, bytes, ofVolume(bytes));
  }

  private long ofVolume(long bytes) {
    return Math.max(bytes * NANOS_PER_BYTE, volumeNanos.applyAsLong(bytes));
  }

  private void await(Wait wait, long bytes, long free) throws IOException {
    lastBytes = bytes;
    long begin = nanoClock.getAsLong();
    try {
      wait.await(left + free);
    } finally {
      left -= Math.max(0, nanoClock.getAsLong() - begin - free);
    }
  }
}

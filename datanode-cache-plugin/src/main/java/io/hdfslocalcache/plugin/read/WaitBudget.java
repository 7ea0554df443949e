/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * How long one read may wait because there is a local cache: for its SSD, with the queue in front of
 * it, for other readers that read the same bytes from the data volume, and for bytes that its client
 * did not ask for. A wait is charged with the time that it takes longer than an idle hard disk would
 * take for the same bytes, or the read's own volume, if it is that what is waited for. When nothing is
 * left, the read goes on from the replica, as it would without a local cache, and waits for nobody any
 * more.
 *
 * <p>There is no other way to wait: each wait gets its time limit here, which is what is left. So no
 * wait can exceed it, and all waits of a read for its SSD take no longer than {@link #longest}. Used by
 * one thread.
 */
public final class WaitBudget {

  /** Something that a reader waits for. */
  public interface Wait {
    /**
     * Waits.
     *
     * @param nanos no longer than this
     * @throws IOException if that was not long enough, or it failed
     */
    void await(long nanos) throws IOException;
  }

  /** An idle hard disk takes so long for a byte: it reads 100 MB in a second. */
  private static final long NANOS_PER_BYTE = 10;

  private final LongSupplier nanoClock;
  private final LongUnaryOperator volumeNanos;
  private long left;
  private long lastBytes;

  /**
   * A read begins.
   *
   * @param nanos how much longer than from the data volume it may take
   * @param nanoClock a clock that only goes forward, in nanoseconds
   * @param volumeNanos how long reads of so many bytes wait for the data volume at present; 0 if
   *     nobody waits there
   */
  public WaitBudget(long nanos, LongSupplier nanoClock, LongUnaryOperator volumeNanos) {
    this.left = nanos;
    this.nanoClock = nanoClock;
    this.volumeNanos = volumeNanos;
  }

  /**
   * @param nanos the budget of a read
   * @param bytes that were waited for
   * @return how long all waits of the read take together at most, in nanoseconds, if its data volume
   *     is idle
   */
  public static long longest(long nanos, long bytes) {
    return nanos + bytes * NANOS_PER_BYTE;
  }

  /** @return whether nothing is left. Then nothing will be any more. */
  public boolean isOverdrawn() {
    return left <= 0;
  }

  /** @return how long the data volume would take at present for what was waited for last. */
  public long volumeNanos() {
    return ofVolume(lastBytes);
  }

  /**
   * Waits for an SSD, for as long as is left. Free is what an idle hard disk would take.
   *
   * @param bytes that are waited for
   * @throws IOException if that was not long enough, or what is waited for failed
   */
  public void await(long bytes, Wait wait) throws IOException {
    await(wait, bytes, bytes * NANOS_PER_BYTE);
  }

  /**
   * Waits for another thread that reads from the data volume. Free is what this read would wait there
   * itself: on a busy volume, nobody is faster by going there, too.
   *
   * @param bytes that are waited for
   * @throws IOException if that was not long enough, or what is waited for failed
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

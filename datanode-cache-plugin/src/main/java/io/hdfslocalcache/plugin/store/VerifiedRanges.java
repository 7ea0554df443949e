/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which parts of a page file have been verified since it was opened, and have not been read from
 * the SSD again since then. The kernel reads ahead: whoever causes a read of the SSD takes back
 * what is known of the whole file, for other parts of it may come in with that read.
 */
public final class VerifiedRanges {

  private static final int GRANULE = 4096;
  /**
   * For so long, what has been verified counts. A part of the file may leave memory and be read
   * again unnoticed, in the moment between the question whether it is there and its use: what the
   * SSD then returned shall not be served for ever.
   */
  private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int granule;
  private final int length;
  private final LongSupplier nanoClock;
  private final BitSet verified = new BitSet();
  private int epoch;
  private long since;

  /**
   * @param chunk bytes of data to a checksum, the smallest part that can be verified
   * @param length bytes of data in the page
   */
  VerifiedRanges(int chunk, int length) {
    this(chunk, length, System::nanoTime);
  }

  VerifiedRanges(int chunk, int length, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.granule = (GRANULE + chunk - 1) / chunk * chunk;
    this.length = length;
  }

  /** @return a number that changes when what is known is taken back. */
  public synchronized int epoch() {
    return epoch;
  }

  /** @return whether all of the range has been verified. */
  public synchronized boolean cover(int from, int to) {
    if (!verified.isEmpty() && nanoClock.getAsLong() - since > VALID_NANOS) {
      clear();
    }
    int last = (to - 1) / granule;
    return verified.nextClearBit(from / granule) > last;
  }

  /** Notes that a range has been verified, if nothing was taken back since the epoch was asked. */
  public synchronized void add(int asOfEpoch, int from, int to) {
    if (asOfEpoch == epoch) {
      if (verified.isEmpty()) {
        since = nanoClock.getAsLong();
      }
      // Parts at the ends do not count, unless the data ends there.
      int first = (from + granule - 1) / granule;
      int end = to == length ? (to + granule - 1) / granule : to / granule;
      if (first < end) {
        verified.set(first, end);
      }
    }
  }

  /** Takes back what is known. */
  public synchronized void clear() {
    epoch++;
    verified.clear();
  }
}

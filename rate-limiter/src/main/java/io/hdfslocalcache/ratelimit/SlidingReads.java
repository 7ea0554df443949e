/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * The reads of the past Y minutes, minute by minute, as far as they matter to the question whether
 * they are more than X, in X + Y bits.
 *
 * <p>The history is a row of bits, the newest at the low end: a one for each read, and a zero for
 * each end of a minute. A read appends a one, a minute that passes appends a zero, and what is
 * shifted out of the X + Y bits is lost. A read is within the window while fewer than Y zeros
 * follow it.
 *
 * <p>Nothing that matters is lost. A one is shifted out when X + Y bits follow it. If Y of them are
 * zeros, the read has left the window. If not, at least X + 1 of them are ones: that many later
 * reads are in the window, which it takes to exceed X, and for as long as this one could count,
 * they do.
 *
 * <p>And nothing too old is taken for a read of the window: more than X ones leave fewer than Y
 * zeros in X + Y bits. So more than X ones among the X + Y bits is the whole question.
 */
final class SlidingReads implements WindowReads {
  private final int threshold;
  private final int buckets;
  private final long mask;
  private final long full;

  /**
   * Makes the rules for one X and Y.
   *
   * @param threshold X, how many reads must be exceeded
   * @param buckets Y, how many minutes count, the current one included
   */
  SlidingReads(int threshold, int buckets) {
    this.threshold = threshold;
    this.buckets = buckets;
    this.mask = (1L << threshold + buckets) - 1;
    this.full = (1L << threshold + 1) - 1;
  }

  @Override
  public int bits() {
    return threshold + buckets;
  }

  @Override
  public int buckets() {
    return buckets;
  }

  @Override
  public boolean exceedsThreshold(long history, long age) {
    return Long.bitCount(aged(history, age)) > threshold;
  }

  @Override
  public int reads(long history, long age) {
    int reads = 0;
    int minutes = 0;
    for (long rest = aged(history, age); rest != 0 && minutes < buckets; rest >>>= 1) {
      reads += rest & 1;
      minutes += 1 - (rest & 1);
    }
    return reads;
  }

  @Override
  public long add(long history, long age) {
    if (age == 0 && (history & full) == full) {
      // More than X in this minute alone: the hottest blocks cause no more writes to memory.
      return history;
    }
    return (aged(history, age) << 1 | 1) & mask;
  }

  @Override
  public int heat(long history, long age) {
    long aged = aged(history, age);
    return Long.numberOfTrailingZeros(aged) < buckets ? Long.bitCount(aged) : 0;
  }

  private long aged(long history, long age) {
    return age < bits() ? history << age & mask : 0;
  }
}

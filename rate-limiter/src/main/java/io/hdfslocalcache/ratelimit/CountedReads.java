/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * The reads of a block within a window, as far as they matter to the question whether they are more
 * than X: a row of counters, one for each bucket, the newest at the low end. A counter stops at a
 * value above X, which decides whatever the others say.
 */
final class CountedReads implements ReadHistory {

  /** How many bits a history may have. */
  static final int MOST_BITS = Long.SIZE - BlockTable.MINUTE_BITS;

  private final int threshold;
  private final int buckets;
  private final int counterBits;
  private final long most;
  private final long mask;

  /**
   * Makes the rules for one X and Y: with a bucket for each minute if there is room, otherwise with
   * as many as there is room for.
   *
   * @param threshold X, how many reads must be exceeded
   * @param minutes Y, the length of the window
   */
  CountedReads(int threshold, int minutes) {
    this.threshold = threshold;
    this.counterBits = bitsOfCounter(threshold);
    this.buckets = Math.min(minutes, MOST_BITS / counterBits);
    this.most = (1L << counterBits) - 1;
    this.mask = (1L << bits()) - 1;
  }

  /** @return how many bits it takes to count one more than X. */
  static int bitsOfCounter(int threshold) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(threshold + 1);
  }

  @Override
  public int bits() {
    return buckets * counterBits;
  }

  /** @return how many buckets count, the current one included. */
  int buckets() {
    return buckets;
  }

  /** Tells whether the block was read more than X times. */
  boolean exceedsThreshold(long history, long age) {
    return reads(history, age) > threshold;
  }

  /** @return the reads within the window; where they are more than X, perhaps fewer than all. */
  int reads(long history, long age) {
    int reads = 0;
    for (long rest = aged(history, age); rest != 0; rest >>>= counterBits) {
      reads += rest & most;
    }
    return reads;
  }

  @Override
  public long add(long history, long age) {
    long aged = aged(history, age);
    return (aged & most) == most ? aged : aged + 1;
  }

  @Override
  public int heat(long history, long age) {
    return reads(history, age);
  }

  private long aged(long history, long age) {
    return age < buckets ? history << age * counterBits & mask : 0;
  }
}

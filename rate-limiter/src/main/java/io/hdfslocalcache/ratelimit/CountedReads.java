/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * The reads of a window as a row of counters, one for each bucket, the newest at the low end. A
 * counter stops at a value above X, which decides whatever the others say. For an X too large for
 * {@link SlidingReads}.
 */
final class CountedReads implements WindowReads {
  private final int threshold;
  private final int buckets;
  private final int counterBits;
  private final long most;
  private final long mask;

  /**
   * Makes the rules for one X.
   *
   * @param threshold X, how many reads must be exceeded
   * @param buckets how many buckets count, the current one included
   */
  CountedReads(int threshold, int buckets) {
    this.threshold = threshold;
    this.buckets = buckets;
    this.counterBits = bitsOfCounter(threshold);
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

  @Override
  public int buckets() {
    return buckets;
  }

  @Override
  public boolean exceedsThreshold(long history, long age) {
    return reads(history, age) > threshold;
  }

  @Override
  public int reads(long history, long age) {
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

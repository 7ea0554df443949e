/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * The reads of a block within a window of buckets, as far as they matter to the question whether
 * they are more than X.
 *
 * <p>There are two ways to write them down. {@link SlidingReads} takes X bits and one for each
 * bucket; {@link CountedReads} takes a counter for each bucket. {@link #of} takes the one with more
 * buckets.
 */
interface WindowReads extends ReadHistory {

  /** How many bits a history may have. */
  int MOST_BITS = Long.SIZE - BlockTable.MINUTE_BITS;

  /**
   * Makes the rules for one X and Y: with a bucket for each minute if there is room, otherwise
   * with as many as there is room for.
   *
   * @param threshold X, how many reads must be exceeded
   * @param minutes Y, the length of the window
   */
  static WindowReads of(int threshold, int minutes) {
    int sliding = Math.min(minutes, MOST_BITS - threshold);
    int counted = Math.min(minutes, MOST_BITS / CountedReads.bitsOfCounter(threshold));
    return sliding >= counted
        ? new SlidingReads(threshold, sliding) : new CountedReads(threshold, counted);
  }

  /** @return how many buckets count, the current one included. */
  int buckets();

  /** Tells whether the block was read more than X times. */
  boolean exceedsThreshold(long history, long age);

  /** @return the reads within the window; where they are more than X, perhaps fewer than all. */
  int reads(long history, long age);
}

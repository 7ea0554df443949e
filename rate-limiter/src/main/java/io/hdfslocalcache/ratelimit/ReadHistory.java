/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * What a {@link BlockTable} remembers of the reads of one block, in a few bits of a long. All
 * methods are functions of their arguments; ages are in minutes (buckets), at least 0.
 */
interface ReadHistory {

  /** @return how many bits a history has; its other bits are 0. Without a read it is 0. */
  int bits();

  /**
   * Counts one read.
   *
   * @param history the history as of the minute it was last changed in
   * @param age how many minutes ago that was
   * @return the history as of now; the same value when the read can change no decision
   */
  long add(long history, long age);

  /**
   * Counts one read of which it is known what it asked for. By default, that does not matter.
   *
   * @param from the first byte of the block
   * @param to the byte after the last
   */
  default long add(long history, long age, long from, long to) {
    return add(history, age);
  }

  /**
   * Tells how hot the block is, to find the coldest.
   *
   * @return 0 when no read counts any more, otherwise more for a block that is read more
   */
  int heat(long history, long age);
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

/**
 * A set of numbers below a limit that finds its greatest in a few steps: a tree of words, in which
 * a bit says that the word below it is not empty.
 */
final class PlaceSet {

  private static final int BITS = 6;

  private final long[][] levels;
  private int size;

  PlaceSet(int limit) {
    int depth = 1;
    while ((long) limit > 1L << BITS * depth) {
      depth++;
    }
    levels = new long[depth][];
    int words = limit;
    for (int level = 0; level < depth; level++) {
      words = (words >> BITS) + 1;
      levels[level] = new long[words];
    }
  }

  int size() {
    return size;
  }

  /** Adds a number that is not in the set. */
  void add(int number) {
    size++;
    int at = number;
    for (long[] level : levels) {
      int word = at >> BITS;
      boolean wasEmpty = level[word] == 0;
      level[word] |= 1L << at;
      if (!wasEmpty) {
        return;
      }
      at = word;
    }
  }

  /** Removes a number. @return whether it was in the set */
  boolean remove(int number) {
    if ((levels[0][number >> BITS] & 1L << number) == 0) {
      return false;
    }
    size--;
    int at = number;
    for (long[] level : levels) {
      int word = at >> BITS;
      level[word] &= ~(1L << at);
      if (level[word] != 0) {
        break;
      }
      at = word;
    }
    return true;
  }

  /** @return the greatest number of a set that is not empty. */
  int last() {
    int word = 0;
    for (int level = levels.length - 1; level >= 0; level--) {
      word = word << BITS | Long.SIZE - 1 - Long.numberOfLeadingZeros(levels[level][word]);
    }
    return word;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The accesses per block during one stretch of time (a minute, by default): a chain of
 * {@link Segment}s, each twice as large as the one before.
 */
final class Bucket {
  /** First segments are no larger, so that the read that opens a bucket is not held up. */
  private static final int MAX_FIRST_CAPACITY = 1 << 16;

  private final long number;
  private final WindowLimits limits;
  private final Segment first;
  private final AtomicInteger blocks = new AtomicInteger();

  /**
   * Makes an empty bucket.
   *
   * @param number its place in time: the time it begins, divided by the length of a bucket
   * @param expectedBlocks how many blocks will be counted, as a guess
   * @param limits where counting ends
   */
  Bucket(long number, int expectedBlocks, WindowLimits limits) {
    int expected = Math.min(expectedBlocks, limits.maxBlocksPerBucket());
    this.number = number;
    this.limits = limits;
    this.first = new Segment(Math.min(Segment.capacityFor(expected), MAX_FIRST_CAPACITY));
  }

  long number() {
    return number;
  }

  /** Returns how many blocks were counted. */
  int blocks() {
    return blocks.get();
  }

  /**
   * Counts one access.
   *
   * @param key the block's key, not 0
   * @return false when it was not counted because the bucket already counts as many blocks as it
   *     may
   */
  boolean increment(long key) {
    Segment segment = first;
    int slot = segment.probe(key);
    while (slot < 0) {
      if (slot == Segment.NO_PLACE) {
        segment = nextOf(segment);
        if (segment == null) {
          return false;
        }
      } else if (blocksToCome() <= 0) {
        return false;
      } else if (segment.claim(~slot, key)) {
        blocks.incrementAndGet();
      }
      slot = segment.probe(key);
    }
    segment.increment(slot, limits.countCeiling());
    return true;
  }

  /**
   * Returns how many accesses of a block were counted.
   *
   * @param key the block's key, not 0
   * @return the count; where it is more than the threshold it may be less than the accesses
   */
  int count(long key) {
    for (Segment segment = first; segment != null; segment = segment.next()) {
      int slot = segment.probe(key);
      if (slot >= 0) {
        return segment.count(slot);
      }
      if (slot != Segment.NO_PLACE) {
        return 0;
      }
    }
    return 0;
  }

  /** Returns the bytes of heap that the tables take. */
  long heapBytes() {
    long bytes = 0;
    for (Segment segment = first; segment != null; segment = segment.next()) {
      bytes += segment.heapBytes();
    }
    return bytes;
  }

  private int blocksToCome() {
    return limits.maxBlocksPerBucket() - blocks.get();
  }

  private Segment nextOf(Segment segment) {
    Segment next = segment.next();
    int toCome = blocksToCome();
    return next != null || toCome <= 0 ? next : segment.append(toCome);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * The sliding window at one moment: its live buckets, newest first. The list is immutable, only
 * the counts in the buckets change; the next bucket comes with a new window.
 */
final class Window {
  private final WindowLimits limits;
  private final Bucket[] newestFirst;

  private Window(WindowLimits limits, Bucket... newestFirst) {
    this.limits = limits;
    this.newestFirst = newestFirst;
  }

  /** Returns a window without buckets, older than any time. */
  static Window empty(WindowLimits limits) {
    return new Window(limits);
  }

  /** Returns the number of the newest bucket. */
  long newestNumber() {
    return newestFirst.length == 0 ? Long.MIN_VALUE : newestFirst[0].number();
  }

  /** Returns the bucket to count in; there is none in an empty window. */
  Bucket newest() {
    return newestFirst[0];
  }

  /**
   * Returns this window moved on: with a new bucket in front, without those too old by then.
   *
   * @param number the number of the new bucket, greater than that of the newest
   */
  Window advanceTo(long number) {
    int kept = 0;
    while (kept < newestFirst.length && isLive(newestFirst[kept], number)) {
      kept++;
    }
    Bucket[] buckets = new Bucket[kept + 1];
    int expectedBlocks = newestFirst.length == 0 ? 0 : newestFirst[0].blocks();
    buckets[0] = new Bucket(number, expectedBlocks, limits);
    System.arraycopy(newestFirst, 0, buckets, 1, kept);
    return new Window(limits, buckets);
  }

  /**
   * Tells whether the accesses of a block exceed the threshold.
   *
   * @param key the block's key
   * @param now the number of the bucket that the time now belongs to, which need not exist
   */
  boolean exceedsThreshold(long key, long now) {
    int sum = 0;
    for (Bucket bucket : newestFirst) {
      if (!isLive(bucket, now)) {
        return false;
      }
      sum += bucket.count(key);
      if (sum > limits.threshold()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the counted accesses of a block, see {@link Bucket#count}. */
  long count(long key, long now) {
    long sum = 0;
    for (Bucket bucket : newestFirst) {
      sum += isLive(bucket, now) ? bucket.count(key) : 0;
    }
    return sum;
  }

  /** Returns the bytes of heap that the tables of all buckets take. */
  long heapBytes() {
    long bytes = 0;
    for (Bucket bucket : newestFirst) {
      bytes += bucket.heapBytes();
    }
    return bytes;
  }

  private boolean isLive(Bucket bucket, long now) {
    return bucket.number() > now - limits.buckets();
  }
}

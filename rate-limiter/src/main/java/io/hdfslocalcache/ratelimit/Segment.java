/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One open-addressing table of keys and counts in the chain that makes up a {@link Bucket}. A key
 * may stand in a run of {@link #PROBES} slots only; when all of them hold other keys it belongs
 * to a later segment. Keys are never moved or removed.
 */
final class Segment {
  /** The least number of slots. */
  static final int MIN_CAPACITY = 1 << 10;
  /** The greatest number of slots: twice the most blocks a bucket may be told to count. */
  static final int MAX_CAPACITY = 1 << 27;
  /** In how many slots a key may stand; four cache lines of keys. */
  static final int PROBES = 32;
  /** {@link #probe}'s answer for a key that has no place in this segment, now or ever. */
  static final int NO_PLACE = Integer.MIN_VALUE;

  private static final long FREE = 0;
  private static final int BYTES_PER_SLOT = Long.BYTES + Integer.BYTES;

  private final AtomicLongArray keys;
  private final AtomicIntegerArray counts;
  private final AtomicReference<Segment> next = new AtomicReference<>();

  /**
   * Makes an empty segment.
   *
   * @param capacity how many slots, a power of two
   */
  Segment(int capacity) {
    this.keys = new AtomicLongArray(capacity);
    this.counts = new AtomicIntegerArray(capacity);
  }

  /** Returns how many slots leave at least half of them free when they hold that many blocks. */
  static int capacityFor(long blocks) {
    long wanted = Math.max(MIN_CAPACITY, Math.min(MAX_CAPACITY, 2 * blocks));
    return (int) (Long.highestOneBit(wanted - 1) << 1);
  }

  /**
   * Looks for a key.
   *
   * @param key the key, not 0
   * @return the key's slot; or the complement ({@code ~slot}) of the free slot where it belongs;
   *     or {@link #NO_PLACE}
   */
  int probe(long key) {
    int mask = keys.length() - 1;
    int home = (int) key;
    for (int i = 0; i < PROBES; i++) {
      int slot = (home + i) & mask;
      long found = keys.get(slot);
      if (found == key) {
        return slot;
      }
      if (found == FREE) {
        return ~slot;
      }
    }
    return NO_PLACE;
  }

  /**
   * Puts a key in the free slot that {@link #probe} found.
   *
   * @return false when another thread has taken the slot in between: probe again
   */
  boolean claim(int slot, long key) {
    return keys.compareAndSet(slot, FREE, key);
  }

  /**
   * Adds one to a count that is below a ceiling. Threads that pass the check together may carry
   * it past the ceiling, by less than their number.
   */
  void increment(int slot, int ceiling) {
    if (counts.get(slot) < ceiling) {
      counts.getAndIncrement(slot);
    }
  }

  int count(int slot) {
    return counts.get(slot);
  }

  /** Returns the segment after this one, or null. */
  Segment next() {
    return next.get();
  }

  /**
   * Appends a segment twice as large, or smaller when few blocks are left to come. Of several
   * threads one appends and the others take what it appended.
   *
   * @param blocksToCome how many more blocks the bucket may count
   * @return the segment after this one
   */
  Segment append(int blocksToCome) {
    int capacity = (int) Math.min(2L * keys.length(), capacityFor(blocksToCome));
    Segment fresh = new Segment(capacity);
    return next.compareAndSet(null, fresh) ? fresh : next.get();
  }

  /** Returns the bytes of heap that the slots take. */
  long heapBytes() {
    return (long) keys.length() * BYTES_PER_SLOT;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers recently touched pages in a few bits each: two Bloom filters, for the present and the
 * previous epoch. An epoch ends after its time, or before too many different pages cause false
 * positives. So a page is remembered for one to two epochs, in fixed memory.
 *
 * <p>With eight bits per page of an epoch, three of them set, one new page in 33 is a false
 * positive at the end of an epoch, and far fewer on average. A page touched while an epoch ends may
 * be forgotten.
 */
final class TouchFilter {
  private static final long MILLIS_PER_EPOCH = 3_600_000;
  private static final int PAGES_OF_BLOCK = 16;
  private static final int BITS_PER_PAGE = 8;
  private static final int HASHES = 3;
  /** Keeps the pages of one block apart from those of others. */
  private static final long BETWEEN_PAGES = 0x9E3779B97F4A7C15L;

  private final long pagesPerEpoch;
  private final RateLimiterClock clock;
  private final long mask;
  private final AtomicLong newPages = new AtomicLong();
  private volatile AtomicLongArray present;
  private volatile AtomicLongArray before;
  private long began;

  /**
   * Creates an empty filter.
   *
   * @param blocks there is room for 16 pages of each in an epoch, or more, since the filter's size is
   *     a power of two
   * @param clock the time
   */
  TouchFilter(int blocks, RateLimiterClock clock) {
    long bits = Long.highestOneBit((long) blocks * PAGES_OF_BLOCK * BITS_PER_PAGE - 1) << 1;
    this.pagesPerEpoch = bits / BITS_PER_PAGE;
    this.clock = clock;
    this.mask = bits - 1;
    this.present = new AtomicLongArray((int) (bits / Long.SIZE));
    this.before = new AtomicLongArray((int) (bits / Long.SIZE));
    this.began = clock.millis();
  }

  /**
   * Touches a page.
   *
   * @param block the {@link BlockTable#key key} of the page's block
   * @param page the page within the block, from 0
   * @return whether it was touched before, in this epoch or the one before
   */
  boolean touch(long block, int page) {
    return touch(key(block, page));
  }

  /** The same. A page that was touched before is also remembered as such. */
  boolean touchAgain(long block, int page) {
    long key = key(block, page);
    boolean again = touch(key);
    if (again) {
      touch(BlockTable.mix(key));
    }
    return again;
  }

  /** @return whether a page was {@link #touchAgain touched again}, in this epoch or the one before. */
  boolean wasTouchedAgain(long block, int page) {
    long again = BlockTable.mix(key(block, page));
    return contains(present, again) || contains(before, again);
  }

  /** @return the bytes of heap of both epochs. */
  long heapBytes() {
    return 2L * Long.BYTES * present.length();
  }

  private static long key(long block, int page) {
    return BlockTable.mix(block + page * BETWEEN_PAGES);
  }

  private boolean touch(long key) {
    endEpochIfOver();
    boolean known = contains(before, key);
    if (!set(present, key)) {
      return true;
    }
    newPages.incrementAndGet();
    return known;
  }

  private void endEpochIfOver() {
    if (newPages.get() >= pagesPerEpoch || clock.millis() - began >= MILLIS_PER_EPOCH) {
      endEpoch();
    }
  }

  private synchronized void endEpoch() {
    long now = clock.millis();
    long age = now - began;
    if (newPages.get() < pagesPerEpoch && age < MILLIS_PER_EPOCH) {
      return;
    }
    AtomicLongArray oldest = before;
    before = present;
    clear(oldest);
    present = oldest;
    if (age >= 2 * MILLIS_PER_EPOCH) {
      // Nothing was touched for a whole epoch, so what was touched then is too old as well.
      clear(before);
    }
    newPages.set(0);
    began = now;
  }

  private static void clear(AtomicLongArray bits) {
    for (int i = 0; i < bits.length(); i++) {
      bits.setPlain(i, 0);
    }
  }

  private boolean contains(AtomicLongArray bits, long key) {
    for (int i = 0; i < HASHES; i++) {
      long bit = bit(key, i);
      if ((bits.get((int) (bit >>> 6)) & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  /** @return whether any bit was not set before. */
  private boolean set(AtomicLongArray bits, long key) {
    boolean changed = false;
    for (int i = 0; i < HASHES; i++) {
      long bit = bit(key, i);
      int word = (int) (bit >>> 6);
      if ((bits.get(word) & 1L << bit) == 0) {
        changed |= (bits.getAndAccumulate(word, 1L << bit, (a, b) -> a | b) & 1L << bit) == 0;
      }
    }
    return changed;
  }

  private long bit(long key, int i) {
    return key + i * (key >>> 32 | 1) & mask;
  }
}

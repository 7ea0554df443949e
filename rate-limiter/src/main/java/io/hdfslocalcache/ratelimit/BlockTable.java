/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The {@link ReadHistory} of every block that was read of late: a table of fixed size, 16 bytes a
 * slot, without any allocation. A read of a block that is in the table takes no lock. When there
 * is no room for a block, the coldest of 16 others is forgotten, and counted if its reads still
 * mattered.
 */
final class BlockTable {
  /*
   * Where a block stands. Its key names two buckets of eight slots; it may stand in any of the 16.
   * A new block takes a slot in the bucket with fewer live blocks, which keeps the fullest bucket
   * close to the average: at the design load of two thirds no live block is displaced in practice.
   *
   * A slot is a key and a state. The state holds the minute it was changed in (16 bits) and the
   * history. A read of a block that has a slot is a compare-and-set of the state. Only a block's
   * first read takes the lock, and gives it a slot: so no block has two.
   *
   * Giving a slot takes the old key out, then changes the state, then puts the new key in. Whoever
   * finds a key after it has read the state has read the state of that key. (One read is counted
   * for the wrong block when a thread that counts it is held up while the slot is given to a block
   * with the same state. The old block had reads that mattered, so the table is too small anyway.)
   *
   * The minute has 16 bits. Passing minutes sweep the table, a part with each, so that histories
   * without a live read are 0, whatever their minute, long before 2^15 minutes have passed.
   */

  /** Slots of a bucket. */
  static final int WAYS = 8;
  /** Bits of a state that are the minute's. */
  static final int MINUTE_BITS = 16;
  /** How many minutes it takes to sweep the table. */
  private static final int SWEEP_MINUTES = 1 << 13;
  private static final int NONE = -1;
  /** The key of a slot that is free, or is just being given to another block. */
  private static final long NOBODY = 0;

  private final ReadHistory rules;
  private final AtomicLongArray words;
  private final int buckets;
  private final int minuteShift;
  private final long historyMask;
  private final Object giving = new Object();
  private final AtomicLong swept = new AtomicLong();
  private final LongAdder forgotten = new LongAdder();

  /**
   * Makes an empty table.
   *
   * @param rules what a history means
   * @param maxBlocks how many blocks there is room for; one slot in three is spare
   */
  BlockTable(ReadHistory rules, int maxBlocks) {
    this.rules = rules;
    this.buckets = (int) ((maxBlocks * 3L / 2 + WAYS - 1) / WAYS);
    this.words = new AtomicLongArray(buckets * WAYS * 2);
    this.minuteShift = rules.bits();
    this.historyMask = (1L << rules.bits()) - 1;
  }

  /** Counts a read in a minute. */
  void add(long key, long minute) {
    add(key, minute, 0, 0);
  }

  /** The same, of the bytes from one to before another. */
  void add(long key, long minute, long from, long to) {
    while (true) {
      int slot = find(key);
      if (slot == NONE ? insert(key, minute, from, to) : addTo(slot, key, minute, from, to)) {
        return;
      }
    }
  }

  /**
   * Finds the state of a block, to be taken apart by {@link #history} and {@link #age}.
   *
   * @return 0, a state without reads, when the block is not known
   */
  long state(long key) {
    int slot = find(key);
    long state = slot == NONE ? 0 : words.get(slot + 1);
    return slot != NONE && words.get(slot) == key ? state : 0;
  }

  long history(long state) {
    return state & historyMask;
  }

  /** @return how many minutes ago a state was changed, 0 for one that is newer than now. */
  long age(long state, long minute) {
    return Math.max(0, (short) (minute - (state >>> minuteShift)));
  }

  /** @return how many blocks were forgotten whose reads still mattered. */
  long forgotten() {
    return forgotten.sum();
  }

  /** @return the bytes of heap that the table takes. */
  long heapBytes() {
    return 8L * words.length();
  }

  /** @return how many blocks have a read that matters; looks at every slot. */
  int liveBlocks(long minute) {
    int live = 0;
    for (int bucket = 0; bucket < words.length(); bucket += 2 * WAYS) {
      live += live(bucket, minute);
    }
    return live;
  }

  /** Clears what is too old to matter; see {@link Minutes.Listener}. */
  void passing(long from, long to) {
    long minutes = to - from;
    // Everything is too old; the minutes in the states may have begun again, so do not ask them.
    boolean isAllOld = minutes >= SWEEP_MINUTES || minutes < 0;
    long slots = words.length() / 2;
    long count = isAllOld ? slots : Math.min(slots, slots * minutes / SWEEP_MINUTES + 1);
    long first = swept.getAndAdd(count);
    for (long i = first; i < first + count; i++) {
      int slot = (int) (i % slots) * 2;
      long state = words.get(slot + 1);
      if (history(state) != 0 && (isAllOld || heat(state, to) == 0)) {
        words.compareAndSet(slot + 1, state, state & ~historyMask);
      }
    }
  }

  private boolean addTo(int slot, long key, long minute, long from, long to) {
    long state = words.get(slot + 1);
    if (words.get(slot) != key) {
      return false;
    }
    long next = history(state) == 0 ? first(minute, from, to) : added(state, minute, from, to);
    return next == state || words.compareAndSet(slot + 1, state, next);
  }

  private long added(long state, long minute, long from, long to) {
    long age = age(state, minute);
    long history = rules.add(history(state), age, from, to);
    // One that is newer than now keeps its own minute.
    return age == 0 ? state & ~historyMask | history : state(minute, history);
  }

  /** The state after a block's first read. */
  private long first(long minute, long from, long to) {
    return state(minute, rules.add(0, 0, from, to));
  }

  private long state(long minute, long history) {
    return (minute & 0xFFFF) << minuteShift | history;
  }

  private int find(long key) {
    int slot = find(firstBucket(key), key);
    return slot != NONE ? slot : find(secondBucket(key), key);
  }

  private int find(int bucket, long key) {
    for (int slot = bucket; slot < bucket + 2 * WAYS; slot += 2) {
      if (words.get(slot) == key) {
        return slot;
      }
    }
    return NONE;
  }

  private int firstBucket(long key) {
    return (int) ((key & 0xFFFFFFFFL) * buckets >>> 32) * 2 * WAYS;
  }

  private int secondBucket(long key) {
    // Other bits than the first: blocks that meet in one part in the other.
    return (int) ((BlockHash.mix(key) & 0xFFFFFFFFL) * buckets >>> 32) * 2 * WAYS;
  }

  /** Gives a new block a slot, unless another thread was faster or counts in the slot chosen. */
  private boolean insert(long key, long minute, long from, long to) {
    synchronized (giving) {
      int slot = find(key) == NONE ? slotToGive(key, minute) : NONE;
      if (slot == NONE) {
        return false;
      }
      long state = words.get(slot + 1);
      int heat = heat(state, minute);
      return (heat == 0 || isFull(key, minute))
          && give(slot, state, key, first(minute, from, to), heat);
    }
  }

  private boolean give(int slot, long state, long key, long first, int heat) {
    long owner = words.get(slot);
    words.set(slot, NOBODY);
    boolean isGiven = words.compareAndSet(slot + 1, state, first);
    words.set(slot, isGiven ? key : owner);
    forgotten.add(isGiven && heat > 0 ? 1 : 0);
    return isGiven;
  }

  /** The first unused slot of the bucket with fewer live blocks, or the coldest of both. */
  private int slotToGive(long key, long minute) {
    int first = firstBucket(key);
    int second = secondBucket(key);
    int bucket = live(first, minute) <= live(second, minute) ? first : second;
    int coldest = coldest(bucket, minute);
    int other = coldest(bucket == first ? second : first, minute);
    return coldness(other, minute) < coldness(coldest, minute) ? other : coldest;
  }

  private boolean isFull(long key, long minute) {
    return live(firstBucket(key), minute) == WAYS && live(secondBucket(key), minute) == WAYS;
  }

  private int live(int bucket, long minute) {
    int live = 0;
    for (int slot = bucket; slot < bucket + 2 * WAYS; slot += 2) {
      live += heat(words.get(slot + 1), minute) > 0 ? 1 : 0;
    }
    return live;
  }

  private int coldest(int bucket, long minute) {
    int coldest = bucket;
    long least = coldness(bucket, minute);
    for (int slot = bucket + 2; slot < bucket + 2 * WAYS && least > 0; slot += 2) {
      long coldness = coldness(slot, minute);
      if (coldness < least) {
        least = coldness;
        coldest = slot;
      }
    }
    return coldest;
  }

  /** 0 for a slot that may be given away freely; then by heat, then by how recently read. */
  private long coldness(int slot, long minute) {
    long state = words.get(slot + 1);
    int heat = heat(state, minute);
    return heat == 0 ? 0 : ((long) heat << 16) - age(state, minute);
  }

  private int heat(long state, long minute) {
    return rules.heat(history(state), age(state, minute));
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The {@link ReadHistory} of every block that was read of late: a table of fixed size, 16 bytes a
 * slot, without locks and without any allocation. When there is no room for a block, the coldest
 * of 16 others is forgotten, and counted if its reads still mattered.
 */
final class BlockTable {
  /*
   * Where a block stands. Its key names two buckets of eight slots; it may stand in any of the 16.
   * A new block takes a slot in the bucket with fewer live blocks, which keeps the fullest bucket
   * close to the average: at the design load of two thirds no live block is displaced in practice.
   *
   * A slot is a key and a state. The state holds a tag (the key's own high bits), the minute it was
   * changed in (16 bits) and the history. A slot belongs to a block when its key is the block's and
   * the state's tag is too. All changes are a compare-and-set of the state: counting a read, and
   * giving the slot to another block, which changes the state first and the key after. In between
   * the slot belongs to nobody, and is not free. (Two blocks with the same tag, at least 8 bits, one
   * given the other's slot at the very moment when the other is read: one read is counted for the
   * wrong block. It is a matter of nanoseconds and needs a table without free slots.)
   *
   * No block stands twice for long. Threads that bring the same new block may give it a slot each.
   * Whoever has put a block in looks through its 16 slots again, and merges what it finds into the
   * first. The later of two sees the earlier. Emptying a slot changes its tag, so that a thread
   * about to count there looks again. Its reads go where the block is found then: the slot that was
   * meant for them may have been emptied, too.
   *
   * Nobody waits: every loop repeats only when another thread has changed the slot.
   *
   * The minute has 16 bits. Passing minutes sweep the table, a part with each, so that histories
   * without a live read are 0, whatever their minute, long before 2^15 minutes have passed.
   */

  /** Slots of a bucket. */
  static final int WAYS = 8;
  /** Bits of a state that are not the history's at least: the minute's and the tag's. */
  static final int OTHER_BITS = 16 + 8;
  /** How many minutes it takes to sweep the table. */
  private static final int SWEEP_MINUTES = 1 << 13;
  private static final int NONE = -1;

  private final ReadHistory rules;
  private final AtomicLongArray words;
  private final int buckets;
  private final int stampShift;
  private final int tagShift;
  private final long historyMask;
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
    this.stampShift = rules.bits();
    this.tagShift = rules.bits() + 16;
    this.historyMask = (1L << rules.bits()) - 1;
  }

  /** Counts a read in a minute. */
  void add(long key, long minute) {
    while (true) {
      int slot = find(key);
      if (slot == NONE
          ? insert(key, state(key, minute, rules.add(0, 0)), minute) : addTo(slot, key, minute)) {
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
    return belongs(state, key) ? state : 0;
  }

  long history(long state) {
    return state & historyMask;
  }

  /** @return how many minutes ago a state was changed, 0 for one that is newer than now. */
  long age(long state, long minute) {
    return Math.max(0, (short) (minute - (state >>> stampShift)));
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

  private boolean addTo(int slot, long key, long minute) {
    long state = words.get(slot + 1);
    if (!belongs(state, key)) {
      return false;
    }
    long next = history(state) == 0
        ? state(key, minute, rules.add(0, 0)) : added(state, key, minute);
    return next == state || words.compareAndSet(slot + 1, state, next);
  }

  private long added(long state, long key, long minute) {
    long age = age(state, minute);
    long history = rules.add(history(state), age);
    // One that is newer than now keeps its own minute.
    return age == 0 ? state & ~historyMask | history : state(key, minute, history);
  }

  private long state(long key, long minute, long history) {
    return key >>> tagShift << tagShift | (minute & 0xFFFF) << stampShift | history;
  }

  private boolean belongs(long state, long key) {
    return (state ^ key) >>> tagShift == 0;
  }

  private int find(long key) {
    int slot = find(firstBucket(key), key);
    return slot != NONE ? slot : find(secondBucket(key), key);
  }

  private int find(int bucket, long key) {
    for (int slot = bucket; slot < bucket + 2 * WAYS; slot += 2) {
      long found = words.get(slot);
      if (found == key && belongs(words.get(slot + 1), key)) {
        return slot;
      }
      if (found == 0 && words.get(slot + 1) == 0) {
        return NONE;
      }
    }
    return NONE;
  }

  private int firstBucket(long key) {
    return (int) ((key & 0xFFFFFFFFL) * buckets >>> 32) * 2 * WAYS;
  }

  private int secondBucket(long key) {
    // Other bits than the first, and than the tag: blocks that meet in one part in the other.
    return (int) ((BlockHash.mix(key) & 0xFFFFFFFFL) * buckets >>> 32) * 2 * WAYS;
  }

  private boolean insert(long key, long fresh, long minute) {
    int slot = slotToGive(key, minute);
    // State before key: a state that is still there says that the key has not changed since.
    long state = words.get(slot + 1);
    long owner = words.get(slot);
    int heat = heat(state, minute);
    if (heat > 0 && !mayDisplace(key, minute) || !words.compareAndSet(slot + 1, state, fresh)) {
      return false;
    }
    forgotten.add(heat > 0 ? 1 : 0);
    if (!words.compareAndSet(slot, owner, key)) {
      return false;
    }
    int merged = mergeBucket(firstBucket(key), slot, key, minute);
    mergeBucket(secondBucket(key), merged, key, minute);
    return true;
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

  /** If there is no other slot. It may be this block, from other threads, that took the last ones. */
  private boolean mayDisplace(long key, long minute) {
    return live(firstBucket(key), minute) == WAYS && live(secondBucket(key), minute) == WAYS
        && find(key) == NONE;
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

  /** Merges the block's slots in a bucket and one more into the first of them, which it returns. */
  private int mergeBucket(int bucket, int slot, long key, long minute) {
    int into = slot;
    for (int other = bucket; other < bucket + 2 * WAYS; other += 2) {
      if (other != into && words.get(other) == key && belongs(words.get(other + 1), key)) {
        empty(Math.max(other, into), key, minute);
        into = Math.min(other, into);
      }
    }
    return into;
  }

  /** Empties one of a block's slots, and counts the reads that were in it in another. */
  private void empty(int from, long key, long minute) {
    long moved = words.get(from + 1);
    while (belongs(moved, key) && !words.compareAndSet(from + 1, moved, notOf(key))) {
      moved = words.get(from + 1);
    }
    boolean done = !belongs(moved, key);
    while (!done) {
      int to = find(key);
      done = to == NONE ? insert(key, moved, minute) : mergeTo(to, moved, key, minute);
    }
  }

  private boolean mergeTo(int slot, long other, long key, long minute) {
    long state = words.get(slot + 1);
    long history = rules.merge(history(state), age(state, minute),
        history(other), age(other, minute));
    return belongs(state, key)
        && words.compareAndSet(slot + 1, state, state(key, minute, history));
  }

  /** A state without reads that does not belong to the block. */
  private long notOf(long key) {
    return ~key >>> tagShift << tagShift;
  }
}

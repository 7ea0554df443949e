/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often each block was read of late: a table of fixed size, 16 bytes a slot, without any
 * allocation. A read of a block that is in the table takes no lock. When there is no room for a
 * block, the coldest of 16 others is forgotten, and counted if its reads still mattered.
 *
 * <p>The history of a block encodes its reads in a few bits of a long; 0: no reads. A subclass
 * defines their meaning. Its methods are functions of their arguments.
 *
 * <p>Time passes in minutes (buckets, whatever their length) that never go back: a thread that was
 * held up after reading the clock counts in the newest minute that any thread has counted in, so it
 * can neither wipe a newer history nor bring back an old one. Threads that find a new minute wait
 * until the first of them has swept the table: nothing is counted in it before.
 */
abstract class BlockTable {
  /*
   * Slots: a block's key selects two buckets of eight slots; it may be in any of the 16.
   * A new block takes a slot in the bucket with fewer live blocks, which keeps the fullest bucket
   * close to the average: at the design load of two thirds no live block is displaced in practice.
   *
   * A key is block pool and block id, mixed well. Block ids are sequential per namespace, so two
   * block pools of one DataNode use the same ones: the pool's 64-bit hash is added to the id. Within
   * a pool different blocks have different keys (but for the two that may share zero's stand-in),
   * because the mixing is a bijection. Two pools with a million blocks each have a block with the same
   * key with a probability of less than 2^-24. A DataNode gets the pool's id as a new string with
   * every request, so nothing is remembered in it. The few pools there are stand in a small array,
   * copied when it grows.
   *
   * A slot is a key and a state. The state holds the minute it was changed in (16 bits) and the
   * history. A read of a block with a slot is a compare-and-set of the state. Only a block's first
   * read takes the lock and assigns a slot, so no block has two.
   *
   * Reassigning a slot removes the old key, changes the state, then sets the new key. Whoever finds
   * a key after reading the state has read the state of that key. (One read is counted for the
   * wrong block when its thread is delayed while the slot is reassigned to a block with the same
   * state. The old block had reads that mattered, so the table is too small anyway.)
   *
   * The minute has 16 bits. Beginning minutes sweep the table, a part with each, so that histories
   * without a live read are 0, whatever their minute, long before 2^15 minutes have passed.
   */

  /** Slots of a bucket. */
  static final int WAYS = 8;
  /** Bits of a state for the minute. */
  static final int MINUTE_BITS = 16;
  /** Minutes to sweep the whole table. */
  private static final int SWEEP_MINUTES = 1 << 13;
  private static final int NONE = -1;
  /** The key of a slot that is free or being reassigned. */
  private static final long NOBODY = 0;

  /** A DataNode serves one pool per namespace; pools beyond this many are hashed every time. */
  static final int MAX_POOLS = 64;
  private static final long STAND_IN_FOR_ZERO = 0x9E3779B97F4A7C15L;
  private static final long FNV_OFFSET = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;

  private record Pool(String id, long hash) {
  }

  private volatile Pool[] pools = {};
  private final RateLimiterClock clock;
  private final long minuteMillis;
  /** The newest minute that a thread has counted in. Changed with the monitor held, read without it. */
  private volatile long newest = Long.MIN_VALUE;
  private final AtomicLongArray words;
  private final int buckets;
  private final int minuteShift;
  private final long historyMask;
  private final float least;
  private final Object giving = new Object();
  private final AtomicLong swept = new AtomicLong();
  private final LongAdder forgotten = new LongAdder();

  /**
   * Creates an empty table.
   *
   * @param maxBlocks how many blocks there is room for; one slot in three is spare
   * @param bits how many bits a history has; its other bits are 0
   * @param least fewer reads than this do not matter any more
   * @param clock the time
   * @param minuteMillis how long a minute is
   */
  BlockTable(int maxBlocks, int bits, float least, RateLimiterClock clock, long minuteMillis) {
    this.buckets = (int) ((maxBlocks * 3L / 2 + WAYS - 1) / WAYS);
    this.words = new AtomicLongArray(buckets * WAYS * 2);
    this.minuteShift = bits;
    this.historyMask = (1L << bits) - 1;
    this.least = least;
    this.clock = clock;
    this.minuteMillis = minuteMillis;
  }

  /**
   * Counts one read in a history.
   *
   * @param history as of the minute it was last changed in; 0 if there was no read
   * @param age how many minutes ago that was, at least 0
   * @param from the first byte of the block that was asked for
   * @param to the byte after the last
   * @return the history as of now; the same value when the read can change no decision
   */
  abstract long added(long history, long age, long from, long to);

  /** @return how many reads of a history that was last changed so many minutes ago count now. */
  abstract float reads(long history, long age);

  /**
   * Called once a minute, for subclasses; reads do not wait for it.
   *
   * @param minutes that have passed since this was called last, or since the first read
   */
  void passed(long minutes) {
  }

  /** Counts a read of a block, of the bytes from one to before another. */
  final void record(String blockPoolId, long blockId, long from, long to) {
    long minute = minuteToCountIn();
    long key = key(blockPoolId, blockId);
    while (true) {
      int slot = find(key);
      if (slot == NONE ? insert(key, minute, from, to) : addTo(slot, key, minute, from, to)) {
        return;
      }
    }
  }

  /** @return the key of a block, without hashing its pool again. */
  final long key(String blockPoolId, long blockId) {
    return key(poolHash(blockPoolId), blockId);
  }

  /** @return how many reads of a block count now. */
  final float reads(String blockPoolId, long blockId) {
    return reads(key(blockPoolId, blockId));
  }

  /** The same for the block with a key. */
  final float reads(long key) {
    long minute = minuteToDecideBy();
    int slot = find(key);
    if (slot == NONE) {
      return 0;
    }
    long state = words.get(slot + 1);
    return words.get(slot) == key ? reads(history(state), age(state, minute)) : 0;
  }

  /** @return how many blocks were forgotten whose reads still mattered. */
  final long forgotten() {
    return forgotten.sum();
  }

  /** @return the bytes of heap that the table takes. */
  final long heapBytes() {
    return 8L * words.length();
  }

  /** @return how many blocks have a read that matters; looks at every slot. For tests. */
  final int liveBlocks() {
    long minute = minuteToDecideBy();
    int live = 0;
    for (int bucket = 0; bucket < words.length(); bucket += 2 * WAYS) {
      live += live(bucket, minute);
    }
    return live;
  }

  private long minuteToCountIn() {
    long present = newest;
    long millis = clock.millis();
    return isNotLater(millis, present) ? present : begin(Math.floorDiv(millis, minuteMillis));
  }

  private synchronized long begin(long minute) {
    long before = newest;
    if (minute > before) {
      if (before != Long.MIN_VALUE) {
        sweep(before, minute);
      }
      newest = minute;
      if (before != Long.MIN_VALUE) {
        passed(minute - before);
      }
    }
    return newest;
  }

  /** The minute for decisions: reads may not have been counted in it yet. */
  private long minuteToDecideBy() {
    long present = newest;
    long millis = clock.millis();
    return isNotLater(millis, present) ? present : Math.floorDiv(millis, minuteMillis);
  }

  /** Saves nearly all calls a division, which costs as much as all the rest. */
  private boolean isNotLater(long millis, long minute) {
    return minute != Long.MIN_VALUE && millis < (minute + 1) * minuteMillis;
  }

  /** Clears what is too old to matter. */
  private void sweep(long from, long to) {
    long minutes = to - from;
    // Everything is too old; the minutes in the states may have wrapped around, so ignore them.
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

  /**
   * Makes the key of a block of a pool with a given hash.
   *
   * @return any value but 0
   */
  static long key(long poolHash, long blockId) {
    long key = mix(blockId + poolHash);
    return key == 0 ? STAND_IN_FOR_ZERO : key;
  }

  /** @return the hash of a pool, remembered if it can be. */
  final long poolHash(String id) {
    for (Pool pool : pools) {
      if (pool.id.equals(id)) {
        return pool.hash;
      }
    }
    return remember(id);
  }

  private long remember(String id) {
    long hash = hash(id);
    Pool[] known = pools;
    if (known.length < MAX_POOLS) {
      Pool[] more = Arrays.copyOf(known, known.length + 1);
      more[known.length] = new Pool(id, hash);
      // Another thread that remembers one may undo this: the next read of this pool does it again.
      pools = more;
    }
    return hash;
  }

  /** @return how many pools are remembered; for tests. */
  final int rememberedPools() {
    return pools.length;
  }

  /** FNV-1a over the characters; its weak high bits are mixed. */
  static long hash(String text) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return mix(hash);
  }

  /** A bijection of the 64-bit numbers: the finalizer known as Stafford's variant 13. */
  static long mix(long x) {
    long y = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    y = (y ^ (y >>> 27)) * 0x94D049BB133111EBL;
    return y ^ (y >>> 31);
  }

  private boolean addTo(int slot, long key, long minute, long from, long to) {
    long state = words.get(slot + 1);
    if (words.get(slot) != key) {
      return false;
    }
    long next = history(state) == 0 ? first(minute, from, to) : next(state, minute, from, to);
    return next == state || words.compareAndSet(slot + 1, state, next);
  }

  private long next(long state, long minute, long from, long to) {
    long age = age(state, minute);
    long history = added(history(state), age, from, to);
    // A state that is newer than now keeps its own minute.
    return age == 0 ? state & ~historyMask | history : state(minute, history);
  }

  /** The state after a block's first read. */
  private long first(long minute, long from, long to) {
    return state(minute, added(0, 0, from, to));
  }

  private long state(long minute, long history) {
    return (minute & 0xFFFF) << minuteShift | history;
  }

  private long history(long state) {
    return state & historyMask;
  }

  /** @return how many minutes ago a state was changed, 0 for one that is newer than now. */
  private long age(long state, long minute) {
    return Math.max(0, (short) (minute - (state >>> minuteShift)));
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
    // Other bits than the first, so that blocks with one first bucket differ in the second.
    return (int) ((key >>> 32) * buckets >>> 32) * 2 * WAYS;
  }

  /** Gives a new block a slot, unless another thread was faster or uses the chosen slot. */
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

  /** 0 for a slot that is free to reassign; then by heat, then by time of the last read. */
  private long coldness(int slot, long minute) {
    long state = words.get(slot + 1);
    int heat = heat(state, minute);
    return heat == 0 ? 0 : ((long) heat << 16) - age(state, minute);
  }

  /** @return 0 when no read matters any more, otherwise more for a block that is read more. */
  private int heat(long state, long minute) {
    float reads = reads(history(state), age(state, minute));
    return reads < least ? 0 : (int) (reads * 100);
  }
}

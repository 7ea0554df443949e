/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Admits a block that was accessed more than X times in the past Y minutes: the rate limiter of
 * the same name in Uber's description of its DataNode local cache (section "Rate Limiter").
 *
 * <p>The past Y minutes are an ordered list of buckets, one per minute. Each counts the accesses
 * of each block during its minute, and the oldest is dropped when a new one begins. With Y / (one
 * minute) = n buckets, n are live, the current one included: the window is between n - 1 and n
 * minutes long.
 */
public final class BucketTimeRateLimit implements CacheRateLimiter {
  /*
   * Why this is right without a lock
   *
   * The window. One reference holds an immutable list of live buckets. The list changes in one way
   * only: compare-and-set to a list derived from the present one, with a newer bucket in front and
   * without those too old for it. So bucket numbers only grow, a bucket once dropped cannot come
   * back, and of several threads that cross the minute together one installs the new bucket and the
   * others find it there. A gap of many minutes is the same step: all old buckets are too old.
   *
   * The late thread. A thread may read the clock, be held up past the end of the minute, and go on.
   * If a newer bucket exists when it looks, it counts there; if it already holds its bucket, it
   * counts in that one, still in the list or dropped in the meantime. Either is what happens when
   * the thread runs a little later or a little earlier. It never makes a bucket older than the
   * newest, so it cannot displace anything. A late reader likewise decides by the newest bucket's
   * time. One that is early, with no bucket for its time yet, leaves out what is too old by its
   * clock; it need not, and does not, change the list.
   *
   * The table. A key stands in the first segment that has room for it in the key's run of slots,
   * in the first slot of that run that was free. Keys are never moved or removed, so a slot changes
   * once, from free to taken. Two threads that bring the same new key see the same slots taken and
   * try the same free one; one of them wins, and the other looks again and finds the key. A full
   * run stays full, so all threads agree, for ever, on which segment a key belongs to. Hence no key
   * stands twice, no count is split, and a free slot ends a search. (A limit on the load of a
   * segment would break this: two threads could disagree on whether it was reached.)
   *
   * The count. An atomic increment, after a check of the ceiling that only makes it stop. Below the
   * ceiling no increment is lost; at the ceiling the decision cannot change any more.
   *
   * Progress. Every loop repeats only when another thread has succeeded: has installed a bucket, or
   * taken a slot. Nobody waits for a thread that was descheduled half-way.
   *
   * Allocation. None, but for a bucket's first table once per bucket, sized after the bucket
   * before, and for the segments of a bucket that outgrows it. Threads that race to make one drop
   * theirs if they lose. Tables are not reused: a late thread may still be writing to an old one.
   */

  /**
   * X: a block is admitted when its accesses within the window exceed this number. Unit: client
   * reads. Default 10. Allowed: 0 to 1000000; with 0 a block is admitted at its first read.
   */
  public static final String THRESHOLD_KEY = "dfs.datanode.local.cache.rate.limiter.threshold";

  /** Default of {@link #THRESHOLD_KEY}. */
  public static final int THRESHOLD_DEFAULT = 10;

  /**
   * Y: how long an access counts. Unit: a duration, such as 10m. Default 10m. Allowed: a whole
   * multiple of {@link #BUCKET_KEY}, 1 to 1440 of them.
   */
  public static final String WINDOW_KEY = "dfs.datanode.local.cache.rate.limiter.window";

  /** Default of {@link #WINDOW_KEY}. */
  public static final String WINDOW_DEFAULT = "10m";

  /**
   * Length of a bucket, the step in which accesses expire. Unit: a duration, such as 1m. Default
   * 1m. Allowed: 1s to 1h.
   */
  public static final String BUCKET_KEY = "dfs.datanode.local.cache.rate.limiter.bucket";

  /** Default of {@link #BUCKET_KEY}. */
  public static final String BUCKET_DEFAULT = "1m";

  /**
   * How many blocks one bucket counts; the reads of further blocks are not counted in it, so
   * that memory is bounded. Unit: blocks. Default 1048576. Allowed: 1024 to 67108864 (2^26).
   * Threads that bring the last ones together may exceed it by less than their number. A block
   * takes up to 50 bytes of heap in every bucket in which it was read, a bucket 12 KiB at least.
   */
  public static final String MAX_BLOCKS_KEY =
      "dfs.datanode.local.cache.rate.limiter.max.blocks.per.bucket";

  /** Default of {@link #MAX_BLOCKS_KEY}. */
  public static final int MAX_BLOCKS_DEFAULT = 1 << 20;

  private static final int MIN_MAX_BLOCKS = 1 << 10;
  private static final int MAX_MAX_BLOCKS = 1 << 26;

  private final RateLimiterClock clock;
  private final long bucketMillis;
  private final WindowSettings settings;
  private final AtomicReference<Window> window;
  private final BlockKeys keys = new BlockKeys();
  private final LongAdder uncountedReads = new LongAdder();

  /**
   * Makes a limiter that has seen no access yet.
   *
   * @param config holds the keys of this class
   * @param clock the time by which accesses expire
   * @throws IllegalArgumentException when a value is not allowed; see {@link RateLimiterConfig}
   */
  public BucketTimeRateLimit(RateLimiterConfig config, RateLimiterClock clock) {
    this.clock = clock;
    this.settings = WindowSettings.from(config);
    this.bucketMillis = settings.bucketMillis();
    WindowLimits limits = new WindowLimits(settings.threshold(), settings.buckets(),
        config.getInt(MAX_BLOCKS_KEY, MAX_BLOCKS_DEFAULT, MIN_MAX_BLOCKS, MAX_MAX_BLOCKS));
    this.window = new AtomicReference<>(Window.empty(limits));
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
    if (!currentBucket().increment(keys.of(blockPoolId, blockId))) {
      uncountedReads.increment();
    }
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    // The clock before the window: a bucket newer than that time then only makes it later.
    long now = bucketNumber();
    return window.get().exceedsThreshold(keys.of(blockPoolId, blockId), now);
  }

  /**
   * Returns how many reads were not counted because their bucket already counted as many blocks
   * as it may: if this grows, raise {@link #MAX_BLOCKS_KEY}.
   *
   * @return a count of reads that never decreases
   */
  public long uncountedReads() {
    return uncountedReads.sum();
  }

  /**
   * Returns what the counts cost now.
   *
   * @return bytes of heap taken by the tables of all live buckets
   */
  public long heapBytes() {
    return window.get().heapBytes();
  }

  @Override
  public long accesses(String blockPoolId, long blockId) {
    return count(blockPoolId, blockId);
  }

  @Override
  public String explain(String blockPoolId, long blockId) {
    return settings.explain(admits(blockPoolId, blockId));
  }

  /** Returns the accesses of a block that are counted in live buckets. */
  long count(String blockPoolId, long blockId) {
    long now = bucketNumber();
    return window.get().count(keys.of(blockPoolId, blockId), now);
  }

  private long bucketNumber() {
    return Math.floorDiv(clock.millis(), bucketMillis);
  }

  private Bucket currentBucket() {
    long number = bucketNumber();
    while (true) {
      Window present = window.get();
      if (present.newestNumber() >= number) {
        return present.newest();
      }
      window.compareAndSet(present, present.advanceTo(number));
    }
  }
}

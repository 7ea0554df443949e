/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Map;

/**
 * Decides exactly as {@link BucketTimeRateLimit}, from 16 bytes a slot and one compare-and-set a
 * read: admits a block that was accessed more than X times in the past Y minutes. See
 * {@link SlidingReads} for why the few bits are enough, and {@link BlockTable} for the table.
 *
 * <p>Decisions differ in one case only: when more blocks were read within the window than there is
 * room for ({@link #MAX_BLOCKS_KEY}). The reference then stops counting new blocks until a bucket
 * ends; this class forgets the coldest.
 */
public final class PackedBucketTimeRateLimit implements CacheRateLimiter {

  /**
   * How many blocks are remembered; a block that was not read within the window needs no room.
   * When there are more the coldest are forgotten, and counted. Unit: blocks. Default 262144.
   * Allowed: 1024 to 67108864 (2^26). A block takes 24 bytes of heap, all of it from the start.
   */
  public static final String MAX_BLOCKS_KEY =
      "dfs.datanode.local.cache.rate.limiter.max.blocks";

  /** Default of {@link #MAX_BLOCKS_KEY}. */
  public static final int MAX_BLOCKS_DEFAULT = 1 << 18;

  /** X and Y together may be no more than this for this class. */
  public static final int MAX_THRESHOLD_AND_BUCKETS = Long.SIZE - BlockTable.OTHER_BITS;

  private final BlockKeys keys = new BlockKeys();
  private final WindowSettings settings;
  private final SlidingReads rules;
  private final BlockTable table;
  private final Minutes minutes;

  /**
   * Makes a limiter that has seen no access yet.
   *
   * @param config holds {@link #MAX_BLOCKS_KEY} and the keys of {@link BucketTimeRateLimit}
   * @param clock the time by which accesses expire
   * @throws IllegalArgumentException when a value is not allowed; see {@link RateLimiterConfig}
   */
  public PackedBucketTimeRateLimit(RateLimiterConfig config, RateLimiterClock clock) {
    this.settings = WindowSettings.from(config);
    if (!fits(settings)) {
      throw RateLimiterConfig.invalid(BucketTimeRateLimit.WINDOW_KEY,
          config.get(BucketTimeRateLimit.WINDOW_KEY, BucketTimeRateLimit.WINDOW_DEFAULT),
          "threshold and buckets of the window together must be no more than "
              + MAX_THRESHOLD_AND_BUCKETS + " for " + getClass().getSimpleName());
    }
    this.rules = new SlidingReads(settings.threshold(), settings.buckets());
    this.table = new BlockTable(rules, maxBlocks(config));
    this.minutes = new Minutes(clock, settings.bucketMillis(), table::passing);
  }

  /** Tells whether X and Y are small enough for this class. */
  static boolean fits(WindowSettings settings) {
    return settings.threshold() + settings.buckets() <= MAX_THRESHOLD_AND_BUCKETS;
  }

  /** Returns what {@link #MAX_BLOCKS_KEY} says. */
  static int maxBlocks(RateLimiterConfig config) {
    return config.getInt(MAX_BLOCKS_KEY, MAX_BLOCKS_DEFAULT, 1 << 10, 1 << 26);
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
    table.add(keys.of(blockPoolId, blockId), minutes.toCountIn());
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    long minute = minutes.toDecideBy();
    long state = table.state(keys.of(blockPoolId, blockId));
    return rules.exceedsThreshold(table.history(state), table.age(state, minute));
  }

  @Override
  public long accesses(String blockPoolId, long blockId) {
    long minute = minutes.toDecideBy();
    long state = table.state(keys.of(blockPoolId, blockId));
    return rules.reads(table.history(state), table.age(state, minute));
  }

  @Override
  public String explain(String blockPoolId, long blockId) {
    return settings.explain(admits(blockPoolId, blockId));
  }

  /**
   * Returns how many blocks were forgotten, because there was no room for all, while reads of them
   * still counted: if this grows, raise {@link #MAX_BLOCKS_KEY}.
   *
   * @return a count of blocks that never decreases
   */
  public long forgottenBlocks() {
    return table.forgotten();
  }

  /**
   * Returns what the counts cost.
   *
   * @return bytes of heap
   */
  public long heapBytes() {
    return table.heapBytes();
  }

  @Override
  public Map<String, Long> metrics() {
    return Map.of("ForgottenBlocks", forgottenBlocks());
  }

  /** Returns how many blocks were read within the window; for tests. */
  int liveBlocks() {
    return table.liveBlocks(minutes.toDecideBy());
  }
}

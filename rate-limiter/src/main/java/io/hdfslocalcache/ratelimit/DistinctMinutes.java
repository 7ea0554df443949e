/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * Admits a block that was read in more than X different minutes of the past Y: a burst of reads
 * within one minute counts once. X and Y are {@link BucketTimeRateLimit}'s keys; X is less than Y,
 * and Y at most {@link #MAX_BUCKETS}.
 */
public final class DistinctMinutes implements CacheRateLimiter {

  /** How many buckets the window may have. */
  public static final int MAX_BUCKETS = Long.SIZE - BlockTable.OTHER_BITS;

  private final BlockKeys keys = new BlockKeys();
  private final MinuteBits rules;
  private final BlockTable table;
  private final Minutes minutes;
  private final int threshold;

  /**
   * Makes a limiter that has seen no access yet.
   *
   * @param config holds {@link PackedBucketTimeRateLimit#MAX_BLOCKS_KEY} and the keys of
   *     {@link BucketTimeRateLimit}
   * @param clock the time by which accesses expire
   * @throws IllegalArgumentException when a value is not allowed; see {@link RateLimiterConfig}
   */
  public DistinctMinutes(RateLimiterConfig config, RateLimiterClock clock) {
    WindowSettings settings = WindowSettings.from(config);
    if (settings.buckets() > MAX_BUCKETS || settings.threshold() >= settings.buckets()) {
      throw RateLimiterConfig.invalid(BucketTimeRateLimit.WINDOW_KEY,
          config.get(BucketTimeRateLimit.WINDOW_KEY, BucketTimeRateLimit.WINDOW_DEFAULT),
          "must have more buckets than the threshold of " + settings.threshold()
              + " and no more than " + MAX_BUCKETS + " for " + getClass().getSimpleName());
    }
    this.threshold = settings.threshold();
    this.rules = new MinuteBits(settings.buckets());
    this.table = new BlockTable(rules, PackedBucketTimeRateLimit.maxBlocks(config));
    this.minutes = new Minutes(clock, settings.bucketMillis(), table::passing);
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
    table.add(keys.of(blockPoolId, blockId), minutes.toCountIn());
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    long minute = minutes.toDecideBy();
    long state = table.state(keys.of(blockPoolId, blockId));
    return rules.heat(table.history(state), table.age(state, minute)) > threshold;
  }

  /** One bit a minute, the newest at the low end: whether the block was read in it. */
  private record MinuteBits(int bits) implements ReadHistory {

    @Override
    public long add(long history, long age) {
      return aged(history, age) | 1;
    }

    @Override
    public int heat(long history, long age) {
      return Long.bitCount(aged(history, age));
    }

    @Override
    public long merge(long one, long ageOfOne, long other, long ageOfOther) {
      return aged(one, ageOfOne) | aged(other, ageOfOther);
    }

    private long aged(long history, long age) {
      return age < bits ? history << age & (1L << bits) - 1 : 0;
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Map;

/**
 * Admits a page when it is missed a second time within an hour or two, whatever else of its block
 * is read. Pages read once, as in a scan, are never admitted.
 *
 * <p>A page's first touch is remembered for one to two hours, unless more pages are touched than 16
 * for each remembered block ({@link BucketTimeRateLimit#MAX_BLOCKS_KEY}). It takes two bytes of
 * heap per page, allocated at the start.
 */
public final class SecondTouch implements CacheRateLimiter {
  /** The keys of this class, with their defaults. */
  static final Map<String, String> KEYS = Map.of(BucketTimeRateLimit.MAX_BLOCKS_KEY,
      String.valueOf(BucketTimeRateLimit.MAX_BLOCKS_DEFAULT));

  private final TouchFilter touched;

  /**
   * Creates a limiter without any pages yet.
   *
   * @param config holds {@link BucketTimeRateLimit#MAX_BLOCKS_KEY}
   * @param clock the clock for forgetting touches
   * @throws IllegalArgumentException when a value is not allowed; see {@link RateLimiterConfig}
   */
  public SecondTouch(RateLimiterConfig config, RateLimiterClock clock) {
    this.touched = new TouchFilter(BucketTimeRateLimit.maxBlocks(config), clock);
  }

  @Override
  public long heapBytes() {
    return touched.heapBytes();
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    return true;
  }

  @Override
  public boolean admits(String blockPoolId, long blockId, int page) {
    return touched.touch(BlockTable.key(BlockTable.hash(blockPoolId), blockId), page);
  }
}

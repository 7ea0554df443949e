/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Map;

/**
 * Admits a page when it is missed a second time within an hour or two, whatever else of its block
 * is read. What is read once, a scan above all, never enters.
 *
 * <p>A page's first touch is remembered for an hour at least and two at most, unless more pages are
 * touched than 16 for each block that is remembered ({@link BucketTimeRateLimit#MAX_BLOCKS_KEY}).
 * Two bytes of heap for each of them, all of it from the start.
 */
public final class SecondTouch implements CacheRateLimiter {
  /** The keys of this class, with their defaults. */
  static final Map<String, String> KEYS = Map.of(BucketTimeRateLimit.MAX_BLOCKS_KEY,
      String.valueOf(BucketTimeRateLimit.MAX_BLOCKS_DEFAULT));

  private final TouchFilter touched;

  /**
   * Makes a limiter that has seen no page yet.
   *
   * @param config holds {@link BucketTimeRateLimit#MAX_BLOCKS_KEY}
   * @param clock the time by which touches are forgotten
   * @throws IllegalArgumentException when a value is not allowed; see {@link RateLimiterConfig}
   */
  public SecondTouch(RateLimiterConfig config, RateLimiterClock clock) {
    this.touched = new TouchFilter(BucketTimeRateLimit.maxBlocks(config), clock);
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
    return touched.touch(blockPoolId, blockId, page);
  }
}

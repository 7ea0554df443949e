/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Map;

/**
 * Admits a page when it is missed a second time ({@link SecondTouch}), or when its block is hot:
 * admitted by {@link BucketTimeRateLimit}'s rule. Hot blocks lose nothing to the wait for a second
 * touch, and the others' pages that are read once stay out.
 */
public final class Hybrid implements CacheRateLimiter {
  private final BlockKeys keys = new BlockKeys();
  private final CacheRateLimiter hotBlocks;
  private final TouchFilter touched;

  /**
   * Makes a limiter that has seen nothing yet.
   *
   * @param config holds the keys of {@link PackedBucketTimeRateLimit} and {@link SecondTouch}
   * @param clock the time
   * @throws IllegalArgumentException when a value is not allowed; see {@link RateLimiterConfig}
   */
  public Hybrid(RateLimiterConfig config, RateLimiterClock clock) {
    this.hotBlocks = RateLimiters.bucketTime(config, clock);
    this.touched = SecondTouch.filter(config, clock);
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
    hotBlocks.record(blockPoolId, blockId, bytes);
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    return true;
  }

  @Override
  public boolean admits(String blockPoolId, long blockId, int page) {
    boolean again = touched.touch(BlockKeys.ofPage(keys.of(blockPoolId, blockId), page));
    return again || hotBlocks.admits(blockPoolId, blockId);
  }

  @Override
  public long accesses(String blockPoolId, long blockId) {
    return hotBlocks.accesses(blockPoolId, blockId);
  }

  @Override
  public Map<String, Long> metrics() {
    return hotBlocks.metrics();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * Admits a page when it is missed a second time while the first is among the last
 * {@link SecondTouch#MAX_PAGES_KEY} pages that were missed: the admission policy of CacheLib of
 * that name. It forgets by number, not by time, so a burst of cold reads shortens its memory and a
 * quiet night does not.
 */
public final class RejectFirst implements CacheRateLimiter {
  private static final long FOREVER = Long.MAX_VALUE / 2;

  private final BlockKeys keys = new BlockKeys();
  private final TouchFilter ghosts;

  /**
   * Makes a limiter that has seen no page yet.
   *
   * @param config holds {@link SecondTouch#MAX_PAGES_KEY}
   * @param clock not looked at
   * @throws IllegalArgumentException when a value is not allowed; see {@link RateLimiterConfig}
   */
  public RejectFirst(RateLimiterConfig config, RateLimiterClock clock) {
    this.ghosts = new TouchFilter(config.getInt(SecondTouch.MAX_PAGES_KEY,
        SecondTouch.MAX_PAGES_DEFAULT, 1 << 10, 1 << 28), FOREVER, clock);
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
    return ghosts.touch(BlockKeys.ofPage(keys.of(blockPoolId, blockId), page));
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * Admits a page when it is missed a second time within {@link #WINDOW_KEY}, whatever else of its
 * block is read. What is read once, a scan above all, never enters.
 */
public final class SecondTouch implements CacheRateLimiter {

  /**
   * How long a page's first touch is remembered at least, unless more pages are touched than
   * {@link #MAX_PAGES_KEY}; at most twice as long. Unit: a duration. Default 1h. Allowed: 1s to 7d.
   */
  public static final String WINDOW_KEY =
      "dfs.datanode.local.cache.rate.limiter.page.window";

  /** Default of {@link #WINDOW_KEY}. */
  public static final String WINDOW_DEFAULT = "1h";

  /**
   * How many pages' first touches are remembered at least. Unit: pages. Default 4194304. Allowed:
   * 1024 to 268435456 (2^28). A page takes two bytes of heap, all of it from the start.
   */
  public static final String MAX_PAGES_KEY =
      "dfs.datanode.local.cache.rate.limiter.max.pages";

  /** Default of {@link #MAX_PAGES_KEY}. */
  public static final int MAX_PAGES_DEFAULT = 1 << 22;

  private final BlockKeys keys = new BlockKeys();
  private final TouchFilter touched;

  /**
   * Makes a limiter that has seen no page yet.
   *
   * @param config holds the keys of this class
   * @param clock the time by which touches are forgotten
   * @throws IllegalArgumentException when a value is not allowed; see {@link RateLimiterConfig}
   */
  public SecondTouch(RateLimiterConfig config, RateLimiterClock clock) {
    this.touched = filter(config, clock);
  }

  /** Returns a filter as the keys of this class say. */
  static TouchFilter filter(RateLimiterConfig config, RateLimiterClock clock) {
    return new TouchFilter(config.getInt(MAX_PAGES_KEY, MAX_PAGES_DEFAULT, 1 << 10, 1 << 28),
        config.getDurationMillis(WINDOW_KEY, WINDOW_DEFAULT, "1s", "7d"), clock);
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
    return touched.touch(BlockKeys.ofPage(keys.of(blockPoolId, blockId), page));
  }
}

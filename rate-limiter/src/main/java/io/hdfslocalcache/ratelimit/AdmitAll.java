/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * Admits every block at every time and counts nothing: for tests, and for a local cache as large
 * as the data that is read.
 */
public class AdmitAll implements CacheRateLimiter {

  /**
   * Makes one as {@link RateLimiterFactory} does; there is nothing to configure.
   *
   * @param config not looked at
   * @param clock not looked at
   */
  public AdmitAll(RateLimiterConfig config, RateLimiterClock clock) {
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    return true;
  }

  @Override
  public String explain(String blockPoolId, long blockId) {
    return "every block is admitted";
  }
}

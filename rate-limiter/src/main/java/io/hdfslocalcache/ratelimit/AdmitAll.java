/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * Admits every block and counts nothing: for tests, and for a local cache as large as the data.
 */
public class AdmitAll implements CacheRateLimiter {

  /**
   * Constructor for {@link RateLimiterFactory}; there is nothing to configure.
   *
   * @param config not used
   * @param clock not used
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

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.SafeRateLimiter;
import org.apache.hadoop.conf.Configuration;

/** Makes the rate limiter that a configuration names. */
public final class ConfiguredLimiter {

  private ConfiguredLimiter() {
  }

  /**
   * Makes one that has seen no read.
   *
   * @param clock the time it lives by
   * @throws BadConfigurationException if a key of it is out of range
   */
  public static SafeRateLimiter of(Configuration conf, RateLimiterClock clock)
      throws BadConfigurationException {
    try {
      RateLimiterConfig settings = RateLimiterConfig.of(key -> conf.getTrimmed(key));
      return new SafeRateLimiter(RateLimiterFactory.create(settings, clock), clock);
    } catch (IllegalArgumentException e) {
      throw new BadConfigurationException(e.getMessage(), e);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import org.apache.hadoop.conf.Configuration;

/**
 * How fast the fills of a DataNode may go, of all its SSDs together.
 *
 * @param always bytes per second at any time; 0: no limit
 * @param busy bytes per second while readers are busy and no CPU is idle; 0: no limit
 */
public record FillRates(long always, long busy) {

  /** Less would have a page wait for minutes. */
  private static final long LEAST = 1 << 20;

  static FillRates from(Configuration conf) throws BadConfigurationException {
    return new FillRates(
        rate(conf, LocalCacheKeys.FILL_RATE, LocalCacheKeys.FILL_RATE_DEFAULT),
        rate(conf, LocalCacheKeys.FILL_BUSY_RATE, LocalCacheKeys.FILL_BUSY_RATE_DEFAULT));
  }

  private static long rate(Configuration conf, String key, String byDefault)
      throws BadConfigurationException {
    long rate = LocalCacheConfig.bytes(conf, key, byDefault);
    if (rate != 0 && rate < LEAST) {
      throw new BadConfigurationException(key, conf.getTrimmed(key),
          "must be 0 (no limit), or at least 1048576 (1m) bytes per second");
    }
    return rate;
  }
}

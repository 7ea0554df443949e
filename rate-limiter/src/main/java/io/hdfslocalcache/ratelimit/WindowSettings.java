/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * X and Y as configured; the keys are {@link BucketTimeRateLimit}'s.
 *
 * @param threshold X: how many accesses must be exceeded
 * @param minutes Y: for how long they count
 */
record WindowSettings(int threshold, int minutes) {
  private static final int MAX_THRESHOLD = 1_000_000;
  private static final long MINUTE_MILLIS = 60_000;

  /** Reads the keys; throws as {@link RateLimiterConfig} does. */
  static WindowSettings from(RateLimiterConfig config) {
    int threshold = config.getInt(BucketTimeRateLimit.THRESHOLD_KEY,
        BucketTimeRateLimit.THRESHOLD_DEFAULT, 0, MAX_THRESHOLD);
    return new WindowSettings(threshold, minutes(config));
  }

  private static int minutes(RateLimiterConfig config) {
    String key = BucketTimeRateLimit.WINDOW_KEY;
    String byDefault = BucketTimeRateLimit.WINDOW_DEFAULT;
    long millis = config.getDurationMillis(key, byDefault, "1m", "24h");
    if (millis % MINUTE_MILLIS != 0) {
      throw RateLimiterConfig.invalid(key, config.get(key, byDefault),
          "must be a whole number of minutes from 1m to 24h");
    }
    return (int) (millis / MINUTE_MILLIS);
  }

  /** Returns Y in milliseconds. */
  long windowMillis() {
    return minutes * MINUTE_MILLIS;
  }

  /** Tells an operator why a block is admitted, or is not. */
  String explain(boolean admitted) {
    return (admitted ? "it was read more than " : "it has to be read more than ") + threshold
        + " times within " + minutes + " min";
  }
}

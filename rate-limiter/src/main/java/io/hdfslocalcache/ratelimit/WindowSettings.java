/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * X and Y as configured; the keys are {@link BucketTimeRateLimit}'s.
 *
 * @param threshold X: how many accesses must be exceeded
 * @param buckets Y: how many buckets are live, the current one included
 * @param bucketMillis length of a bucket
 */
record WindowSettings(int threshold, int buckets, long bucketMillis) {
  private static final int MAX_THRESHOLD = 1_000_000;
  private static final int MAX_BUCKETS = 1440;

  /** Reads the keys; throws as {@link RateLimiterConfig} does. */
  static WindowSettings from(RateLimiterConfig config) {
    long bucketMillis = config.getDurationMillis(
        BucketTimeRateLimit.BUCKET_KEY, BucketTimeRateLimit.BUCKET_DEFAULT, "1s", "1h");
    int threshold = config.getInt(BucketTimeRateLimit.THRESHOLD_KEY,
        BucketTimeRateLimit.THRESHOLD_DEFAULT, 0, MAX_THRESHOLD);
    return new WindowSettings(threshold, buckets(config, bucketMillis), bucketMillis);
  }

  private static int buckets(RateLimiterConfig config, long bucketMillis) {
    String key = BucketTimeRateLimit.WINDOW_KEY;
    String byDefault = BucketTimeRateLimit.WINDOW_DEFAULT;
    long windowMillis = config.getDurationMillis(key, byDefault, "1s", "60d");
    long buckets = windowMillis / bucketMillis;
    if (windowMillis % bucketMillis != 0 || buckets < 1 || buckets > MAX_BUCKETS) {
      throw RateLimiterConfig.invalid(key, config.get(key, byDefault),
          "must be a whole multiple, 1 to " + MAX_BUCKETS + " times, of "
              + BucketTimeRateLimit.BUCKET_KEY + " = '" + config.get(
                  BucketTimeRateLimit.BUCKET_KEY, BucketTimeRateLimit.BUCKET_DEFAULT) + "'");
    }
    return (int) buckets;
  }

  /** Tells an operator why a block is admitted, or is not. */
  String explain(boolean admitted) {
    return (admitted ? "it was read more than " : "it has to be read more than ") + threshold
        + " times within " + window();
  }

  /** Returns the length of the window, such as {@code 10 min}. */
  String window() {
    long seconds = buckets * bucketMillis / 1000;
    return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }
}

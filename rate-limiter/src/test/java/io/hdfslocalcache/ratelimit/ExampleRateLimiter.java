/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.concurrent.ConcurrentHashMap;

/**
 * An example of a custom limiter: admits a block after a number of bytes were read from it. It is
 * configured by its class name. (A limiter for production would forget, too.)
 */
public class ExampleRateLimiter implements CacheRateLimiter {
  /** Bytes that must have been read of a block: a key of this limiter. */
  public static final String BYTES_KEY = "org.example.limiter.bytes";

  private final ConcurrentHashMap<String, Long> bytesOf = new ConcurrentHashMap<>();
  private final long bytes;

  /** The constructor that every limiter has. */
  public ExampleRateLimiter(RateLimiterConfig config, RateLimiterClock clock) {
    this.bytes = config.getBytes(BYTES_KEY, 128L << 20);
  }

  @Override
  public void record(String blockPoolId, long blockId, long read) {
    bytesOf.merge(blockPoolId + "/" + blockId, read, Long::sum);
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    return bytesOf.getOrDefault(blockPoolId + "/" + blockId, 0L) >= bytes;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * Decides admission: may pages of a block enter the local cache. A block that is not admitted is
 * read from its HDD replica as if there were no local cache.
 *
 * <p>Both methods are called for every client read, on the thread that serves it: an
 * implementation is thread-safe, does not block, and does no I/O. The caller records a read first
 * and asks about its block second, so a decision includes the read it is made for.
 *
 * <p>A block is named by block pool and block id together, since block ids of two block pools
 * collide. The generation stamp plays no part: an appended block stays as popular as it was.
 *
 * <p>An implementation has a public constructor that takes a {@link RateLimiterConfig} and a
 * {@link RateLimiterClock}. It throws {@link IllegalArgumentException} for a bad value, with a
 * message made by {@link RateLimiterConfig#invalid}. See {@link RateLimiterFactory}.
 */
public interface CacheRateLimiter extends AutoCloseable {

  /**
   * Counts one client read.
   *
   * @param blockPoolId the block pool of the block that was read
   * @param blockId the block that was read
   * @param bytes how many bytes of block data the read asked for, at least 0
   */
  void record(String blockPoolId, long blockId, long bytes);

  /**
   * Tells whether pages of a block may enter the local cache now. Changes no count.
   *
   * @param blockPoolId the block pool of the block
   * @param blockId the block
   * @return true when the block may enter
   */
  boolean admits(String blockPoolId, long blockId);

  /** Releases what the limiter holds; called once, after the last read. */
  @Override
  default void close() {
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Admission to the local cache: which blocks are read often enough to be cached.
 * {@link io.hdfslocalcache.ratelimit.CacheRateLimiter} is the contract,
 * {@link io.hdfslocalcache.ratelimit.WriteBudgetRateLimit} the implementation in use by default,
 * {@link io.hdfslocalcache.ratelimit.BucketTimeRateLimit} the paper's,
 * {@link io.hdfslocalcache.ratelimit.RateLimiterFactory} creates one by name and
 * {@link io.hdfslocalcache.ratelimit.SafeRateLimiter} keeps its errors away from client reads.
 * Nothing here depends on Hadoop or Alluxio, and the clock is injected, so that a DataNode and a
 * simulator run the same classes.
 */
package io.hdfslocalcache.ratelimit;

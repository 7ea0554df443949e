/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.index.BlockFileId;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/**
 * Tells of the pages that leave for others.
 *
 * @param metrics counts them
 * @param limiter hears which they are
 */
public record Evictions(LocalCacheMetrics metrics, CacheRateLimiter limiter) {

  /** A page was evicted. @param fileId the block, as Alluxio knows it */
  public void evicted(String fileId, long page) {
    metrics.count(Event.EVICTIONS);
    BlockKey key = BlockFileId.blockOf(fileId);
    if (key != null) {
      limiter.evicted(key.blockPoolId(), key.blockId(), Math.toIntExact(page));
    }
  }
}

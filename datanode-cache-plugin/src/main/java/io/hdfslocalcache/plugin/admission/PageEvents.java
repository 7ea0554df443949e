/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admission;

import java.io.IOException;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.index.BlockFileId;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/** Tells index, rate limiter and metrics of the pages that come and go. */
public class PageEvents implements PageListener {

  private final BlockIndex index;
  private final CacheRateLimiter limiter;
  private final LocalCacheMetrics metrics;

  /** Tells these, each of its own. */
  public PageEvents(BlockIndex index, CacheRateLimiter limiter, LocalCacheMetrics metrics) {
    this.index = index;
    this.limiter = limiter;
    this.metrics = metrics;
  }

  @Override
  public void pageAdded(String fileId, long page, int parts) {
    index.pageAdded(fileId, page, parts);
  }

  @Override
  public void partsAdded(String fileId, long page, int parts) {
    index.partsAdded(fileId, page, parts);
  }

  @Override
  public void pageRemoved(String fileId, long page) {
    index.pageRemoved(fileId, page);
  }

  @Override
  public void pageEvicted(String fileId, long page) {
    metrics.count(Event.EVICTIONS);
    BlockKey key = BlockFileId.blockOf(fileId);
    if (key != null) {
      limiter.evicted(key.blockPoolId(), key.blockId(), Math.toIntExact(page));
    }
  }

  @Override
  public void evictedWithoutRead() {
    metrics.count(Event.EVICTED_WITHOUT_READ);
  }

  @Override
  public void failed(Operation operation, IOException error) {
    metrics.error(operation, error);
  }
}

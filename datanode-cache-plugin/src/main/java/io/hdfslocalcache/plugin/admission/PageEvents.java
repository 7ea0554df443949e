/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admission;

import java.io.IOException;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.index.BlockFileId;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/** Tells index, rate limiter and metrics of the pages that come to one SSD and go. */
public class PageEvents implements PageListener {

  private final Path ssd;
  private final BlockIndex index;
  private final CacheRateLimiter limiter;
  private final LocalCacheMetrics metrics;

  /** Tells these, each of its own. @param ssd the directory of the SSD */
  public PageEvents(Path ssd, BlockIndex index, CacheRateLimiter limiter,
      LocalCacheMetrics metrics) {
    this.ssd = ssd;
    this.index = index;
    this.limiter = limiter;
    this.metrics = metrics;
  }

  @Override
  public void pageAdded(String fileId, long page, int parts) {
    index.pageAdded(ssd, fileId, page, parts);
  }

  @Override
  public void partsAdded(String fileId, long page, int parts) {
    index.partsAdded(ssd, fileId, page, parts);
  }

  @Override
  public void pageRemoved(String fileId, long page) {
    index.pageRemoved(ssd, fileId, page);
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

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.fill.VolumeWaits;
import io.hdfslocalcache.plugin.health.HealthLog;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/**
 * Forwards the events of an SSD: pages to index, rate limiter, metrics and memory tier; health to
 * log, metrics and NameNodes.
 *
 * @param ssd the directory of the SSD
 */
record SsdEvents(Path ssd, BlockIndex index, MemoryTier memory, CacheRateLimiter limiter,
    LocalCacheMetrics metrics, HealthLog healthLog, VolumeWaits waits) implements PageListener {

  @Override
  public void pageAdded(StoredPage page) {
    index.pageAdded(page.block(), page);
  }

  @Override
  public void pageRemoved(StoredPage page) {
    index.pageRemoved(page.block(), page);
    // After the index: whoever moves the page in meanwhile sees that it is not there.
    memory.remove(page.getFileId(), page.number());
  }

  @Override
  public void pageEvicted(StoredPage page) {
    metrics.count(Event.EVICTIONS);
    if (page.hasLeftUnread()) {
      metrics.count(Event.EVICTED_WITHOUT_READ);
    }
    BlockKey key = page.key();
    if (key != null) {
      limiter.evicted(key.blockPoolId(), key.blockId(), page.number());
    }
  }

  @Override
  public void blockRemoved(int pages) {
    metrics.add(Event.INVALIDATED_PAGES, pages);
  }

  @Override
  public void failed(Operation operation, Throwable error) {
    metrics.error(operation, error);
  }

  @Override
  public Map<String, List<Integer>> pagesInMemory() {
    return memory.pagesByBlock();
  }

  @Override
  public long volumesNanos() {
    return waits.meanNanos();
  }

  @Override
  public void healthChanged(Path directory, SsdState before, SsdState now, String reason) {
    healthLog.changed(directory, before, now, reason);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import java.io.IOException;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.fill.Evictions;
import io.hdfslocalcache.plugin.health.HealthLog;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/**
 * Takes what comes and goes on the SSDs to the index and the rate limiter, and what fails there to
 * metrics and log.
 */
final class SsdEvents implements PageListener {

  private final BlockIndex index;
  private final MemoryTier memory;
  private final Evictions evictions;
  private final LocalCacheMetrics metrics;
  private final HealthLog healthLog;

  SsdEvents(BlockIndex index, MemoryTier memory, CacheRateLimiter limiter,
      LocalCacheMetrics metrics, HealthLog healthLog) {
    this.index = index;
    this.memory = memory;
    this.evictions = new Evictions(metrics, limiter);
    this.metrics = metrics;
    this.healthLog = healthLog;
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
    // After the index: whoever moves the page in meanwhile sees that it is not there.
    memory.remove(fileId, Math.toIntExact(page));
  }

  @Override
  public void pageEvicted(String fileId, long page) {
    evictions.evicted(fileId, page);
  }

  @Override
  public void evictedWithoutRead() {
    metrics.count(Event.EVICTED_WITHOUT_READ);
  }

  @Override
  public void failed(Operation operation, IOException error) {
    metrics.error(operation, error);
  }

  @Override
  public void healthChanged(Path directory, SsdState before, SsdState now, String reason) {
    healthLog.changed(directory, before, now, reason);
  }
}

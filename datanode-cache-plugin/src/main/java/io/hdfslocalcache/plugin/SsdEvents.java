/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.admission.PageEvents;
import io.hdfslocalcache.plugin.health.HealthLog;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/** Tells the memory tier of the pages that leave the SSD, too, and the log of the SSDs' health. */
final class SsdEvents extends PageEvents {

  private final MemoryTier memory;
  private final HealthLog healthLog;

  SsdEvents(Path ssd, BlockIndex index, MemoryTier memory, CacheRateLimiter limiter,
      LocalCacheMetrics metrics, HealthLog healthLog) {
    super(ssd, index, limiter, metrics);
    this.memory = memory;
    this.healthLog = healthLog;
  }

  @Override
  public void pageRemoved(String fileId, long page) {
    super.pageRemoved(fileId, page);
    // After the index: whoever moves the page in meanwhile sees that it is not there.
    memory.remove(fileId, Math.toIntExact(page));
  }

  @Override
  public Map<String, List<Integer>> pagesInMemory() {
    return memory.pagesByBlock();
  }

  @Override
  public void healthChanged(Path directory, SsdState before, SsdState now, String reason) {
    healthLog.changed(directory, before, now, reason);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.dryrun;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.GhostConfig;
import io.hdfslocalcache.plugin.fill.Evictions;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.space.GhostSsd;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/** Which pages would be on a ghost's SSDs. Used by many threads. */
final class GhostPages {

  private final BlockIndex index = new BlockIndex();
  private final Evictions evictions;
  private final LocalCacheMetrics metrics;
  private final List<GhostSsd> ssds;
  private final Ghost.Bound bound;

  /** Makes an empty set. @param bound bounds the pages of all ghosts */
  GhostPages(GhostConfig config, CacheRateLimiter limiter, LocalCacheMetrics metrics,
      Ghost.Bound bound) {
    this.evictions = new Evictions(metrics, limiter);
    this.metrics = metrics;
    this.bound = bound;
    this.ssds = IntStream.range(0, config.ssds())
        .mapToObj(i -> new GhostSsd(config.capacity(), new Listener())).toList();
  }

  /** @return which blocks have pages, or had some a moment ago. */
  BlockIndex index() {
    return index;
  }

  /** @return the SSDs, in the order of the configuration. */
  List<GhostSsd> ssds() {
    return ssds;
  }

  /** @return the SSD of a block: the one that the local cache would take. */
  GhostSsd of(BlockKey key) {
    return ssds.get(SsdDirectories.placeOf(key, ssds.size()));
  }

  /**
   * Adds parts of a page, as a fill does.
   *
   * @param parts those that are not there, a bit for each
   * @return whether they were added
   */
  boolean publish(CachedBlock block, int page, int parts) {
    if (bound.pages().sum() >= bound.most()) {
      metrics.count(Event.FILLS_DROPPED_NOT_PUBLISHED);
      return false;
    }
    // Whoever kills the block removes its pages afterwards, with the same lock.
    synchronized (block) {
      if (block.isDead()) {
        metrics.count(Event.FILLS_DROPPED_STALE);
        return false;
      }
      return of(block.snapshot().key()).publish(block, page, parts);
    }
  }

  /** Removes the pages of a block that was killed. */
  void removeKilled(CachedBlock block) {
    metrics.count(Event.INVALIDATED_BLOCKS);
    synchronized (block) {
      metrics.add(
          Event.INVALIDATED_PAGES, of(block.snapshot().key()).removeBlock(block));
    }
  }

  private final class Listener implements PageListener {

    @Override
    public void pageAdded(String fileId, long page, int parts) {
      bound.pages().increment();
      index.pageAdded(fileId, page, parts);
    }

    @Override
    public void partsAdded(String fileId, long page, int parts) {
      index.partsAdded(fileId, page, parts);
    }

    @Override
    public void pageRemoved(String fileId, long page) {
      bound.pages().decrement();
      index.pageRemoved(fileId, page);
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
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.dryrun;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.admission.PageEvents;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.config.DryRunConfig.GhostConfig;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.ssd.Rendezvous;
import io.hdfslocalcache.plugin.ssd.space.GhostSsd;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/**
 * Which pages would be on a ghost's SSDs. They are filled as the local cache fills them, but at once
 * and without their bytes. Used by many threads.
 */
final class GhostPages {

  /**
   * Keeps the heap of all ghosts together bounded.
   *
   * @param pages the pages of all ghosts
   * @param most how many those may be
   */
  record Bound(LongAdder pages, long most) {
  }

  private final int pageSize;
  private final BlockIndex index = new BlockIndex();
  private final LocalCacheMetrics metrics;
  private final Map<Path, GhostSsd> ssds = new LinkedHashMap<>();
  private final Rendezvous spread;
  private final Bound bound;
  private final Admission admission;

  /**
   * Makes an empty set.
   *
   * @param replicas the DataNode's replicas
   * @param on the operator's switch
   * @param bound bounds the pages of all ghosts
   */
  GhostPages(GhostConfig config, CacheRateLimiter limiter, ReplicaAccess replicas,
      BooleanSupplier on, LocalCacheMetrics metrics, Bound bound) {
    this.pageSize = config.pageSize();
    this.metrics = metrics;
    this.bound = bound;
    this.spread = new Rendezvous(config.ssds());
    config.ssds().forEach(ssd -> ssds.put(
        ssd, new GhostSsd(config.capacity(), new Counted(ssd, index, limiter, metrics))));
    this.admission = new Admission(new Admission.Context(on, ssd -> true, ssd -> true, limiter,
        replicas, index, (block, why) -> removeKilled(block), metrics));
  }

  /** @return what decides on them. */
  Admission admission() {
    return admission;
  }

  /** @return which blocks have pages, or had some a moment ago. */
  BlockIndex index() {
    return index;
  }

  /** @return the SSDs, in the order of the configuration. */
  List<GhostSsd> ssds() {
    return List.copyOf(ssds.values());
  }

  /** @return the SSD of a block: the one that the local cache would take. */
  GhostSsd of(BlockKey key) {
    return ssds.get(spread.of(key));
  }

  /** Fills what a read has missed. */
  void fill(FillRequest request) {
    PageLayout layout = PageLayout.usual(pageSize, request.snapshot().length());
    Map<Integer, Integer> wanted = wanted(request, layout);
    if (wanted.isEmpty()) {
      return;
    }
    CachedBlock block = admission.enter(
        request.snapshot(), layout, ReplicaIdentity.NONE, spread.of(request.snapshot().key()));
    if (block == null) {
      metrics.count(Event.FILLS_DROPPED_STALE);
      return;
    }
    try {
      wanted.forEach((page, parts) -> fillPage(block, page, parts));
    } finally {
      block.removeReader();
    }
  }

  /** @return the missing parts of each page of which some are missing, and admitted. */
  private Map<Integer, Integer> wanted(FillRequest request, PageLayout layout) {
    Map<Integer, Integer> wanted = new TreeMap<>();
    CachedBlock block = index.find(request.snapshot());
    int end = request.endPage(layout);
    for (int page = request.firstPage(layout); page < end; page++) {
      int missing = request.missing(block, layout, page);
      if (missing != 0 && admission.admits(request.snapshot().key(), request.rule(), page)) {
        wanted.put(page, missing);
      }
    }
    return wanted;
  }

  private synchronized void fillPage(CachedBlock block, int page, int wanted) {
    // Another reader may have been faster.
    int parts = wanted & ~block.parts(page);
    if (parts != 0) {
      admission.publish(block, page, parts, () -> publish(block, page, parts));
    }
  }

  private boolean publish(CachedBlock block, int page, int parts) {
    boolean isPublished = bound.pages().sum() < bound.most()
        && of(block.snapshot().key()).publish(block, page, parts);
    if (isPublished) {
      admission.written(block.layout().space(page, parts));
    }
    return isPublished;
  }

  /** Removes the pages of a block that was killed. */
  void removeKilled(CachedBlock block) {
    metrics.count(Event.INVALIDATED_BLOCKS);
    // Whoever is publishing a page of the block has the monitor; later ones see that it is dead.
    synchronized (block) {
      metrics.add(
          Event.INVALIDATED_PAGES, of(block.snapshot().key()).removeBlock(block));
    }
  }

  /** Counts the pages of all ghosts, too. */
  private final class Counted extends PageEvents {

    Counted(Path ssd, BlockIndex index, CacheRateLimiter limiter, LocalCacheMetrics metrics) {
      super(ssd, index, limiter, metrics);
    }

    @Override
    public void pageAdded(String fileId, long page, int parts) {
      bound.pages().increment();
      super.pageAdded(fileId, page, parts);
    }

    @Override
    public void pageRemoved(String fileId, long page) {
      bound.pages().decrement();
      super.pageRemoved(fileId, page);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.dryrun;

import java.util.Map;
import java.util.TreeMap;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.rules.RuleAction;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/**
 * Fills pages of a ghost: the pages that {@link io.hdfslocalcache.plugin.fill.PageFiller} would
 * fill, after the same questions, but at once and without their bytes.
 */
final class GhostFills {

  private final int pageSize;
  private final CacheRateLimiter limiter;
  private final ReplicaAccess replicas;
  private final GhostPages pages;
  private final LocalCacheMetrics metrics;

  GhostFills(int pageSize, CacheRateLimiter limiter, ReplicaAccess replicas, GhostPages pages,
      LocalCacheMetrics metrics) {
    this.pageSize = pageSize;
    this.limiter = limiter;
    this.replicas = replicas;
    this.pages = pages;
    this.metrics = metrics;
  }

  /**
   * Fills what a read has missed.
   *
   * @param from first byte that was sent
   * @param to byte after the last one, greater than from
   */
  void fill(ReplicaSnapshot snapshot, long from, long to, RuleAction action) {
    Map<Integer, Integer> wanted = wanted(snapshot, from, to, action);
    if (wanted.isEmpty()) {
      return;
    }
    CachedBlock block = enter(snapshot);
    // While it gets pages, nobody may drop it for having none.
    block.addReader();
    try {
      // In this order: a change before the question is seen by the answer, a change after it finds
      // the entry in the index.
      if (replicas.isCurrent(snapshot)) {
        wanted.forEach((page, parts) -> fillPage(block, page, parts));
      } else {
        metrics.count(Event.FILLS_DROPPED_STALE);
      }
    } finally {
      block.removeReader();
      pages.index().dropIfEmpty(block);
      pages.index().dropEmptied(emptied -> true);
    }
  }

  /** @return the missing parts of each page of which some are missing. */
  private Map<Integer, Integer> wanted(ReplicaSnapshot snapshot, long from, long to,
      RuleAction action) {
    Map<Integer, Integer> wanted = new TreeMap<>();
    PageLayout layout = PageLayout.usual(pageSize, snapshot.length());
    CachedBlock block = pages.index().find(snapshot);
    int last = layout.pageOf(to - 1);
    for (int page = layout.pageOf(from); page <= last; page++) {
      long start = layout.start(page);
      int parts = layout.partsOf((int) Math.max(0, from - start),
          (int) Math.min(layout.dataLength(page), to - start));
      int missing = block == null ? parts : parts & ~block.parts(page);
      if (missing != 0 && admits(snapshot.key(), page, action)) {
        wanted.put(page, missing);
      }
    }
    return wanted;
  }

  private boolean admits(BlockKey key, int page, RuleAction action) {
    return action == RuleAction.NORMAL
        ? limiter.admits(key.blockPoolId(), key.blockId(), page) : limiter.mayWrite();
  }

  private CachedBlock enter(ReplicaSnapshot snapshot) {
    BlockIndex.Registration entry =
        pages.index().register(snapshot, PageLayout.usual(pageSize, snapshot.length()));
    if (entry.replaced() != null) {
      pages.removeKilled(entry.replaced());
    }
    return entry.block();
  }

  private synchronized void fillPage(CachedBlock block, int page, int wanted) {
    // Another reader may have been faster.
    int parts = wanted & ~block.parts(page);
    boolean isNew = block.parts(page) == 0;
    if (parts != 0 && pages.publish(block, page, parts)) {
      PageLayout layout = block.layout();
      limiter.written(layout.space(page, parts));
      if (isNew) {
        metrics.count(Event.FILLS);
      }
      metrics.add(Event.FILL_BYTES, layout.dataLength(page, parts));
      metrics.add(Event.FILL_WRITTEN_BYTES, layout.space(page, parts));
    }
  }
}

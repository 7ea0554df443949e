/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.dryrun;

import java.util.BitSet;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.fill.FillRequest;
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
    FillRequest request = FillRequest.of(snapshot, from, to, pageSize);
    BitSet wanted = wanted(request, action);
    if (wanted.isEmpty()) {
      return;
    }
    CachedBlock block = enter(snapshot);
    try {
      // In this order: a change before the question is seen by the answer, a change after it finds
      // the entry in the index.
      if (replicas.isCurrent(snapshot)) {
        wanted.stream().forEach(page -> fillPage(block, page));
      } else {
        metrics.count(Event.FILLS_DROPPED_STALE);
      }
    } finally {
      pages.index().dropIfEmpty(block);
      pages.index().dropEmptied(emptied -> true);
    }
  }

  private BitSet wanted(FillRequest request, RuleAction action) {
    BitSet wanted = new BitSet();
    BlockKey key = request.snapshot().key();
    PageLayout layout = PageLayout.usual(pageSize, request.snapshot().length());
    CachedBlock block = pages.index().find(request.snapshot());
    int last = layout.pageOf(request.to() - 1);
    for (int page = layout.pageOf(request.from()); page <= last; page++) {
      if ((block == null || !pages.of(key).contains(block, page)) && admits(key, page, action)) {
        wanted.set(page);
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

  private void fillPage(CachedBlock block, int page) {
    if (pages.publish(block, page)) {
      limiter.written(block.layout().fileLength(page));
      metrics.count(Event.FILLS);
      metrics.add(Event.FILL_BYTES, block.layout().dataLength(page));
      metrics.add(Event.FILL_WRITTEN_BYTES, block.layout().fileLength(page));
    }
  }
}

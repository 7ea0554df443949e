/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.dryrun;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.admin.CacheStatus.GhostView;
import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.DryRunConfig.GhostConfig;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Directory;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Gauges;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Memory;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.ssd.space.GhostSsd;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.SafeRateLimiter;

/**
 * A local cache in numbers only. Its {@link Admission} decides as that of the local cache would with
 * the ghost's settings: what is counted, whether a read would be a hit, what would be filled, and
 * what would have to leave.
 *
 * <p>Nothing that a read or a change calls throws, or waits for a disk.
 */
public final class Ghost {

  /**
   * What all ghosts of a DataNode share.
   *
   * @param replicas the DataNode's replicas
   * @param on the operator's switch
   * @param clock the time that limiters live by
   * @param bound bounds the pages of all ghosts
   * @param readsInProgress reads that have begun and not ended
   */
  record Shared(ReplicaAccess replicas, BooleanSupplier on, RateLimiterClock clock,
      GhostPages.Bound bound, LongAdder readsInProgress) {
  }

  private final GhostConfig config;
  private final Shared shared;
  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private final SafeRateLimiter limiter;
  private final GhostPages pages;
  private final Admission admission;

  Ghost(GhostConfig config, Shared shared) throws BadConfigurationException {
    this.config = config;
    this.shared = shared;
    this.limiter = config.limiter(shared.clock());
    this.pages = new GhostPages(
        config, limiter, shared.replicas(), shared.on(), metrics, shared.bound());
    this.admission = pages.admission();
  }

  /**
   * A read begins.
   *
   * @return what it would be served from
   */
  Read begin(Ghosts.BegunRead read) {
    try {
      return beginChecked(read);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.LOOKUP, e);
      return new Read(null, ReadOutcome.BYPASS_ERROR);
    }
  }

  private Read beginChecked(Ghosts.BegunRead read) {
    ReplicaSnapshot snapshot = read.snapshot();
    ReadOutcome bypass = admission.begin(
        read.isClient(), read.rule(), snapshot.key(), read.to() - read.from(), read.bypass());
    CachedBlock block =
        admission.pages(snapshot, read.known(), bypass, read.from(), read.to());
    if (block == null && bypass != null) {
      return new Read(null, bypass);
    }
    return new Read(block, block != null || admission.admits(snapshot.key(), read.rule())
        ? ReadOutcome.MISS_ADMITTED : ReadOutcome.MISS_NOT_ADMITTED);
  }

  /**
   * A read is over.
   *
   * @param ghost what {@link #begin} said
   * @param end byte after the last that was sent
   */
  void finished(Ghosts.BegunRead read, Read ghost, long end) {
    try {
      long fromSsd = ghost.block() == null ? 0
          : ghost.walk(pages.of(ghost.block().snapshot().key()), read.from(), end);
      ReadOutcome outcome = ghost.outcome();
      metrics.read(outcome, fromSsd, Math.max(0, end - read.from()) - fromSsd);
      boolean missed = outcome == ReadOutcome.MISS_ADMITTED || outcome == ReadOutcome.PARTIAL_HIT;
      BlockKey key = read.snapshot().key();
      if (missed && end > read.from() && read.bypass() == null && admission.mayFill(key)
          && admission.admits(key, read.rule())) {
        pages.fill(FillRequest.missed(null, read.snapshot(), read.rule(), read.from(), end));
      }
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.LOOKUP, e);
    }
  }

  /** A replica has changed. @param after as {@link Ghosts#replicaChanged} got it */
  void replicaChanged(BlockKey key, ReplicaSnapshot after, boolean appending) {
    try {
      CachedBlock block = pages.index().get(key);
      if (block != null && !block.snapshot().equals(after) && !appending) {
        discard(block);
      }
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.INVALIDATION, e);
    }
  }

  /** All replicas of a block pool are gone. */
  void blockPoolRemoved(String blockPoolId) {
    try {
      pages.index().ofPool(blockPoolId).forEach(this::discard);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.INVALIDATION, e);
    }
  }

  private void discard(CachedBlock block) {
    if (pages.index().discard(block)) {
      pages.removeKilled(block);
    }
  }

  /** @return the ghost's name. */
  public String name() {
    return config.name();
  }

  /** @return what it counts. */
  public LocalCacheMetrics metrics() {
    return metrics;
  }

  /** @return what its rate limiter measures, by name. */
  public LocalCacheMetricsSource.Admission admission() {
    return LocalCacheMetricsSource.Admission.of(limiter);
  }

  /** @return what is measured at the moment. */
  public Gauges gauges() {
    List<Directory> directories = IntStream.range(0, pages.ssds().size()).mapToObj(i -> {
      GhostSsd ssd = pages.ssds().get(i);
      return new Directory("ghost-" + i, ssd.usedBytes(), ssd.capacityBytes());
    }).toList();
    return new Gauges(shared.on().getAsBoolean(), limiter.errors(), 0,
        shared.readsInProgress().sum(), pages.index().pages(), pages.index().blocks(), 0, 0, 0,
        false, 0, Memory.NONE, directories, Map.of());
  }

  /** @return how it does, for an operator. */
  public GhostView status() {
    Gauges now = gauges();
    return new GhostView(name(), metrics.reads(ReadOutcome.HIT), metrics.offload(),
        metrics.reuseRate(),
        metrics.total(Event.FILL_WRITTEN_BYTES), now.pages(),
        now.directories().stream().mapToLong(Directory::usedBytes).sum(),
        now.directories().stream().mapToLong(Directory::capacityBytes).sum(),
        metrics.total(Event.EVICTIONS), metrics.total(Event.EVICTED_WITHOUT_READ),
        metrics.errors() + limiter.errors());
  }

  /** Ends the rate limiter. */
  void close() {
    limiter.close();
  }

  @Override
  public String toString() {
    return config.toString();
  }

  /** One read as one ghost sees it. Used by one thread. */
  static final class Read {

    private final CachedBlock block;
    private ReadOutcome outcome;

    /**
     * A read that begins.
     *
     * @param block where some pages of it are, or null if it would be served from the replica
     * @param withoutPages the outcome if no page is used
     */
    Read(CachedBlock block, ReadOutcome withoutPages) {
      this.block = block;
      this.outcome = withoutPages;
    }

    /** @return where some of its pages were when it began, or null. */
    CachedBlock block() {
      return block;
    }

    /** @return what became of the read. */
    ReadOutcome outcome() {
      return outcome;
    }

    /**
     * Goes through the pages of the read as its reader did.
     *
     * @param end byte after the last that was sent
     * @return bytes that would have come from the SSD
     */
    long walk(GhostSsd ssd, long from, long end) {
      PageLayout layout = block.layout();
      int last = layout.pageOf(Math.max(from, end - 1));
      boolean usedPage = false;
      boolean usedReplica = false;
      long bytes = 0;
      for (int page = layout.pageOf(from); page <= last; page++) {
        long start = layout.start(page);
        int begin = (int) Math.max(0, from - start);
        int to = (int) Math.max(begin + 1, Math.min(layout.dataLength(page), end - start));
        int there = layout.partsOf(begin, to) & block.parts(page);
        usedReplica |= there != layout.partsOf(begin, to);
        if (there != 0 && ssd.read(block, page)) {
          usedPage = true;
          bytes += layout.common(there, begin, (int) Math.min(to, end - start));
        }
      }
      if (usedPage) {
        outcome = usedReplica ? ReadOutcome.PARTIAL_HIT : ReadOutcome.HIT;
      }
      return bytes;
    }
  }
}

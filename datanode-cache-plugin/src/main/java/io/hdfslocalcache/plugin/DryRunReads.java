/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.fill.PageWriter;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;

/**
 * The reads of a DataNode in a dry run. All of them are served from the replica. When one ends, it
 * is counted as what it would have been, and what it would have filled is filled, without bytes.
 *
 * <p>Nothing here throws, reads a file or waits for a disk.
 */
final class DryRunReads {

  private final Admission admission;
  private final RuleKeeper rules;
  private final BlockIndex index;
  private final SsdDirectories directories;
  private final PageWriter writer;
  private final LocalCacheMetrics metrics;
  private final int pageSize;
  /** Stands for the bytes of every page: nobody writes or reads it, only its capacity matters. */
  private final ByteBuffer anyBytes;
  private final LongAdder inProgress = new LongAdder();

  /** @param pageSize bytes of block data in a page */
  DryRunReads(Admission admission, RuleKeeper rules, BlockIndex index, SsdDirectories directories,
      PageWriter writer, LocalCacheMetrics metrics, int pageSize) {
    this.admission = admission;
    this.rules = rules;
    this.index = index;
    this.directories = directories;
    this.writer = writer;
    this.metrics = metrics;
    this.pageSize = pageSize;
    PageLayout layout = PageLayout.usual(pageSize, pageSize);
    this.anyBytes = ByteBuffer.allocate((int) layout.space(0, layout.allParts(0)));
  }

  /** A client begins to read: {@link LocalCache#read} explains the parameters. */
  ClientRead begin(String clientName, String user, ReplicaSnapshot snapshot, long known,
      ReadOutcome unfit, long offset, long to) {
    inProgress.increment();
    Begun begun = found(clientName, user, snapshot, known, unfit, offset, to);
    // To the clocks and the trace, it is a read without a local cache.
    return ClientRead.ofReplica((read, outcome, end) -> finished(begun, snapshot, offset, end),
        snapshot, offset, to, ReadOutcome.BYPASS_OFF);
  }

  private Begun found(String clientName, String user, ReplicaSnapshot snapshot, long known,
      ReadOutcome unfit, long from, long to) {
    Begun begun = new Begun();
    try {
      lookUp(begun, clientName, user, snapshot, known, unfit, from, to);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.LOOKUP, e);
      begun.block = null;
      begun.outcome = ReadOutcome.BYPASS_ERROR;
    }
    return begun;
  }

  private void lookUp(Begun begun, String clientName, String user, ReplicaSnapshot snapshot,
      long known, ReadOutcome unfit, long from, long to) {
    boolean isClient = !clientName.isEmpty();
    BlockKey key = snapshot.key();
    begun.rule = isClient ? rules.rules().of(key, clientName, user) : null;
    CachedBlock entry = index.get(key);
    begun.bypass = admission.begin(isClient, begun.rule, key, entry, from, to, unfit);
    begun.block = admission.pages(entry, snapshot, known, begun.bypass, from, to);
    begun.outcome = begun.block == null && begun.bypass != null ? begun.bypass
        : begun.block != null || admission.admits(key, begun.rule)
            ? ReadOutcome.MISS_ADMITTED : ReadOutcome.MISS_NOT_ADMITTED;
  }

  /** What was found out when a read began. Used by one thread. */
  private static final class Begun {
    private RuleAccount rule;
    private ReadOutcome bypass;
    /** Of which some bytes of the read are cached; null: there is none. */
    private CachedBlock block;
    /** What becomes of the read if no page is used. */
    private ReadOutcome outcome;
  }

  private void finished(Begun read, ReplicaSnapshot snapshot, long from, long end) {
    try {
      long fromSsd = read.block == null ? 0 : usePages(read, from, end);
      if (read.rule != null) {
        read.rule.read(read.outcome);
      }
      metrics.read(read.outcome, fromSsd, Math.max(0, end - from) - fromSsd);
      boolean missed = read.outcome == ReadOutcome.MISS_ADMITTED
          || read.outcome == ReadOutcome.PARTIAL_HIT;
      if (missed && read.bypass == null && end > from && admission.mayFill(snapshot.key())
          && admission.admits(snapshot.key(), read.rule)) {
        fill(FillRequest.missed(null, snapshot, read.rule, from, end));
      }
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.LOOKUP, e);
    } finally {
      inProgress.decrement();
    }
  }

  /**
   * Uses the pages that the read would have used, and says what became of it.
   *
   * @return bytes that would have come from the SSD
   */
  private long usePages(Begun read, long from, long end) {
    CachedBlock block = read.block;
    SsdDirectory ssd = SsdDirectory.of(block);
    PageLayout layout = block.layout();
    int last = layout.pageOf(Math.max(from, end - 1));
    boolean usesReplica = false;
    boolean usesPages = false;
    long bytes = 0;
    for (int page = layout.pageOf(from); page <= last; page++) {
      long start = layout.start(page);
      int begin = (int) Math.max(0, from - start);
      int to = (int) Math.max(begin + 1, Math.min(layout.dataLength(page), end - start));
      int wanted = layout.partsOf(begin, to);
      int there = wanted & block.parts(page);
      usesReplica |= there != wanted;
      if (there != 0 && ssd != null && ssd.pages().used(block, page)) {
        usesPages = true;
        bytes += layout.common(there, begin, (int) Math.min(to, end - start));
      }
    }
    if (usesPages) {
      read.outcome = usesReplica ? ReadOutcome.PARTIAL_HIT : ReadOutcome.HIT;
    }
    return bytes;
  }

  /** Fills at once what the local cache would fill in the background. */
  private void fill(FillRequest request) {
    ReplicaSnapshot snapshot = request.snapshot();
    PageLayout layout = PageLayout.usual(pageSize, snapshot.length());
    CachedBlock found = index.find(snapshot);
    CachedBlock block = null;
    try {
      for (int page = request.firstPage(layout); page < request.endPage(layout); page++) {
        int missing = request.missing(found, layout, page);
        if (missing == 0 || !admission.admits(snapshot.key(), request.rule(), page)) {
          continue;
        }
        if (block == null) {
          block = admission.enter(
              snapshot, layout, ReplicaIdentity.NONE, directories.of(snapshot.key()));
        }
        if (block == null) {
          metrics.count(Event.FILLS_DROPPED_STALE);
          return;
        }
        writer.write(block, PageSlice.ofParts(layout, page,
            Integer.numberOfTrailingZeros(missing),
            Integer.SIZE - 1 - Integer.numberOfLeadingZeros(missing)), anyBytes, request.rule(), false);
      }
    } finally {
      if (block != null) {
        block.removeReader();
      }
    }
  }

  /** @return number of reads that have begun and not ended, bypasses included. */
  long inProgress() {
    return inProgress.sum();
  }
}

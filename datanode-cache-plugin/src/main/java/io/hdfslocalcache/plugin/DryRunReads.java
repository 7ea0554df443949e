/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.fill.PageWriter;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;

/**
 * The reads of a DataNode in a dry run. All of them are served from the replica. When one ends, its
 * outcome with a local cache is counted, and its fills are done without bytes.
 *
 * <p>Nothing here reads a file or waits for a disk.
 */
final class DryRunReads {

  private final Admission admission;
  private final BlockIndex index;
  private final PageWriter writer;
  private final LocalCacheMetrics metrics;
  private final int pageSize;
  /** Stands for the bytes of every page: only its capacity is used. */
  private final ByteBuffer anyBytes;

  /** @param pageSize bytes of block data in a page */
  DryRunReads(Admission admission, BlockIndex index, PageWriter writer, LocalCacheMetrics metrics,
      int pageSize) {
    this.admission = admission;
    this.index = index;
    this.writer = writer;
    this.metrics = metrics;
    this.pageSize = pageSize;
    PageLayout layout = PageLayout.usual(pageSize, pageSize);
    this.anyBytes = ByteBuffer.allocate((int) layout.space(0, layout.allParts(0)));
  }

  /**
   * A client begins to read.
   *
   * @param bypass why the local cache would not be asked, or null
   * @param block of which some bytes of the read are cached, or null
   * @return counts and fills when the read ends
   */
  ClientRead.Listener begin(RuleAccount rule, ReplicaSnapshot snapshot, ReadOutcome bypass,
      CachedBlock block, long from) {
    ReadOutcome outcome = block == null && bypass != null ? bypass
        : block != null || admission.admits(snapshot.key(), rule)
            ? ReadOutcome.MISS_ADMITTED : ReadOutcome.MISS_NOT_ADMITTED;
    return (read, asReplica, end) ->
        finished(rule, snapshot, bypass, block, outcome, from, end);
  }

  private void finished(RuleAccount rule, ReplicaSnapshot snapshot, ReadOutcome bypass,
      CachedBlock block, ReadOutcome withoutPages, long from, long end) {
    ReadOutcome outcome = withoutPages;
    long fromSsd = 0;
    boolean isMissed = outcome == ReadOutcome.MISS_ADMITTED;
    if (block != null) {
      Used used = usePages(block, from, end);
      fromSsd = used.bytes();
      if (used.anyPage()) {
        outcome = used.replica() ? ReadOutcome.PARTIAL_HIT : ReadOutcome.HIT;
        isMissed = used.replica();
      }
    }
    if (rule != null) {
      rule.read(outcome);
    }
    metrics.read(outcome, fromSsd, Math.max(0, end - from) - fromSsd);
    if (isMissed && bypass == null && end > from && admission.mayFill(snapshot.key())
        && admission.admits(snapshot.key(), rule)) {
      fill(FillRequest.missed(null, snapshot, rule, from, end));
    }
  }

  /**
   * Where bytes would have come from.
   *
   * @param anyPage whether some would have come from a page
   * @param replica whether some would have come from the replica
   * @param bytes that would have come from the SSD
   */
  private record Used(boolean anyPage, boolean replica, long bytes) {
  }

  /** Uses the pages that a read would have used. */
  private Used usePages(CachedBlock block, long from, long end) {
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
      if (there != 0 && SsdDirectory.of(block) != null && block.use(page)) {
        usesPages = true;
        bytes += layout.common(there, begin, (int) Math.min(to, end - start));
      }
    }
    return new Used(usesPages, usesReplica, bytes);
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
          block = admission.enter(snapshot, layout, ReplicaIdentity.NONE);
        }
        if (block == null) {
          return;
        }
        writer.write(block, PageSlice.ofParts(layout, page,
            Integer.numberOfTrailingZeros(missing),
            Integer.SIZE - 1 - Integer.numberOfLeadingZeros(missing)), anyBytes, request.rule(),
            false);
      }
    } finally {
      if (block != null) {
        block.removeReader();
      }
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.dryrun;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.ssd.space.GhostSsd;

/** One read as one ghost sees it. Used by one thread. */
final class GhostRead {

  private final CachedBlock block;
  private ReadOutcome outcome;

  /**
   * A read that begins.
   *
   * @param block where some pages of it are, or null if it would be served from the replica
   * @param withoutPages the outcome if no page is used
   */
  GhostRead(CachedBlock block, ReadOutcome withoutPages) {
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

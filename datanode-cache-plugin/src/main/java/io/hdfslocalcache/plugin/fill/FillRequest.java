/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.rules.RuleAccount;

/**
 * A range of a block to fill in the background.
 *
 * @param volume the data volume of its replica; null in a dry run
 * @param rule rule to charge, or null
 * @param from first byte
 * @param to byte after the last
 * @param isOrder whether an operator requested it; if not, a reader missed it
 */
public record FillRequest(Volume volume, ReplicaSnapshot snapshot, RuleAccount rule, long from,
    long to, boolean isOrder) {

  /** An operator requested a whole block. */
  public static FillRequest order(Volume volume, ReplicaSnapshot snapshot, RuleAccount rule) {
    return new FillRequest(volume, snapshot, rule, 0, snapshot.length(), true);
  }

  /** A reader has read some bytes from the OS page cache. */
  public static FillRequest missed(Volume volume, ReplicaSnapshot snapshot, RuleAccount rule,
      long from, long to) {
    return new FillRequest(volume, snapshot, rule, from, to, false);
  }

  /** @return number of pages in the range. */
  int pages(int pageSize) {
    return from >= to ? 0 : Math.toIntExact((to - 1) / pageSize - from / pageSize + 1);
  }

  /** @return the first page of the range. */
  public int firstPage(PageLayout layout) {
    return layout.pageOf(from);
  }

  /** @return the page after the last of the range; at most the first page if there is none. */
  public int endPage(PageLayout layout) {
    return from >= to ? 0 : layout.pageOf(to - 1) + 1;
  }

  /** @return the parts of a page in the range. */
  int parts(PageLayout layout, int page) {
    long start = layout.start(page);
    int begin = (int) Math.max(0, from - start);
    int end = (int) Math.min(layout.dataLength(page), to - start);
    return begin >= end ? 0 : layout.partsOf(begin, end);
  }

  /** @return the missing ones of these parts. @param block null: all are missing */
  public int missing(CachedBlock block, PageLayout layout, int page) {
    int wanted = parts(layout, page);
    return block == null ? wanted : wanted & ~block.parts(page);
  }
}

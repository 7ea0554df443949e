/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.rules.RuleAccount;

/**
 * What is to be filled of a block in the background.
 *
 * @param volume the data volume of its replica; null in a dry run
 * @param rule on whose account, or null
 * @param from first byte
 * @param to byte after the last
 * @param isOrder whether an operator wants it, whether anybody reads it or not; if not, a reader has
 *     missed it
 */
public record FillRequest(String volume, ReplicaSnapshot snapshot, RuleAccount rule, long from,
    long to, boolean isOrder) {

  /** An operator wants a whole block. */
  public static FillRequest order(String volume, ReplicaSnapshot snapshot, RuleAccount rule) {
    return new FillRequest(volume, snapshot, rule, 0, snapshot.length(), true);
  }

  /** A reader has read some bytes from the OS page cache. */
  public static FillRequest missed(String volume, ReplicaSnapshot snapshot, RuleAccount rule,
      long from, long to) {
    return new FillRequest(volume, snapshot, rule, from, to, false);
  }

  /** @return how many pages it touches. */
  int pages(int pageSize) {
    return from >= to ? 0 : Math.toIntExact((to - 1) / pageSize - from / pageSize + 1);
  }

  /** @return the first page that it touches. */
  public int firstPage(PageLayout layout) {
    return layout.pageOf(from);
  }

  /** @return the page after the last that it touches; at most the first page if there is none. */
  public int endPage(PageLayout layout) {
    return from >= to ? 0 : layout.pageOf(to - 1) + 1;
  }

  /** @return the parts that it wants of a page: all that it touches. */
  int parts(PageLayout layout, int page) {
    long start = layout.start(page);
    int begin = (int) Math.max(0, from - start);
    int end = (int) Math.min(layout.dataLength(page), to - start);
    return begin >= end ? 0 : layout.partsOf(begin, end);
  }

  /** @return those of these parts that are not there. @param block null: none is */
  public int missing(CachedBlock block, PageLayout layout, int page) {
    int wanted = parts(layout, page);
    return block == null ? wanted : wanted & ~block.parts(page);
  }
}

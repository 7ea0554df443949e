/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.function.IntConsumer;

import io.hdfslocalcache.replay.eviction.EvictionPolicy;
import io.hdfslocalcache.replay.eviction.NumberedPages;

/**
 * The pages on the SSD, with the parts of each that are there. A page takes the space of its parts
 * and leaves as a whole.
 */
final class SsdPages {

  private static final int BYTE = 0xFF;

  private final PageTrace trace;
  private final long capacity;
  private final NumberedPages pages;
  /** By page: the parts that are there. */
  private final byte[] parts;
  private long used;
  private long reads;
  private long reorders;
  private int most;

  /**
   * Makes an empty SSD.
   *
   * @param capacity bytes that pages may take, enough for one at least
   * @param policy has no page yet
   */
  SsdPages(PageTrace trace, long capacity, EvictionPolicy policy) {
    this.trace = trace;
    this.capacity = capacity;
    this.pages = new NumberedPages(trace.pages(), policy);
    this.parts = new byte[trace.pages()];
  }

  /** Reads parts of a page. @return those of them that are there */
  int read(int page, int wanted) {
    int found = parts(page) & wanted;
    if (found != 0) {
      reads++;
      reorders += pages.read(page) ? 1 : 0;
    }
    return found;
  }

  /** @return the parts of a page that are there. */
  int parts(int page) {
    return parts[page] & BYTE;
  }

  /**
   * Adds parts that are not there.
   *
   * @param evicted is told the pages that leave for them
   */
  void add(int page, int added, IntConsumer evicted) {
    int space = trace.space(page, added);
    pages.read(page);
    while (used + space > capacity) {
      int victim = pages.evict();
      used -= trace.space(victim, parts(victim));
      parts[victim] = 0;
      evicted.accept(victim);
    }
    if (parts[page] == 0) {
      pages.fill(page);
    }
    parts[page] |= (byte) added;
    used += space;
    most = Math.max(most, pages.size());
  }

  /** @return share of the reads of pages that changed the order of eviction. */
  double reordered() {
    return reads == 0 ? 0 : (double) reorders / reads;
  }

  /** @return most pages that were there at a time. */
  int most() {
    return most;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.util.LinkedHashMap;
import java.util.Map;

import io.hdfslocalcache.plugin.index.CachedPage;

/**
 * Decides when a page is worth moving into the memory tier: when reading it from the SSD has cost
 * as much as moving it. For whole pages that is the second read; for small ranges, the n-th. Only
 * the most recent pages are remembered, as many as fit into the tier: a scan, or a working set far
 * larger than the tier, moves few pages.
 */
final class SecondTouch {

  /** Fixed cost of a read in bytes, for the switch to another thread and back. */
  private static final int FIXED_COST = 64 << 10;

  private final Map<CachedPage, Integer> costs;

  /** @param pages number of pages to remember */
  SecondTouch(int pages) {
    costs = new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<CachedPage, Integer> eldest) {
        return size() > pages;
      }
    };
  }

  /**
   * Counts a read from the SSD.
   *
   * @param bytes that were read
   * @param length of the page's data
   * @return whether earlier reads of the page add up to the whole page
   */
  synchronized boolean isWorthMoving(CachedPage key, int bytes, int length) {
    Integer before = costs.get(key);
    if (before != null && before >= length) {
      costs.remove(key);
      return true;
    }
    costs.put(key, Math.min(length, (before == null ? 0 : before) + bytes + FIXED_COST));
    return false;
  }

  synchronized void clear() {
    costs.clear();
  }
}

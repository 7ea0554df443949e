/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells when a page is worth being moved into the memory tier: when reading it from the SSD has
 * cost as much as moving it does. For whole pages that is the second read; for small ranges of a
 * page, the n-th. Only the pages that were read last are remembered, as many as the tier has room
 * for: a scan, and a working set that is far larger than the tier, move few pages.
 */
final class SecondTouch {

  /** What a read costs beside its bytes, in bytes: the way to another thread and back. */
  private static final int FIXED_COST = 64 << 10;

  private final Map<PageKey, Integer> costs;

  /** @param pages to be remembered */
  SecondTouch(int pages) {
    costs = new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<PageKey, Integer> eldest) {
        return size() > pages;
      }
    };
  }

  /**
   * Counts a read from the SSD.
   *
   * @param bytes that were read
   * @param length of the page's data
   * @return whether what was read of the page before was as much as the page
   */
  synchronized boolean isWorthMoving(PageKey key, int bytes, int length) {
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

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.CacheEvictor;

/**
 * Least recently used, as in section 4.3 of the paper on Uber's local cache. Differs from Alluxio's
 * in that a use of a page that is no longer there does not bring it back: readers note their use
 * without a lock on the page, for whoever holds that lock may be waiting for the SSD.
 *
 * <p>It can be filled from its young end, too: pages of before a restart are added newest first, for
 * those are the ones that readers will ask for, and leave oldest first. Pages that were used since
 * the restart leave after all of them.
 */
final class PageEvictor implements CacheEvictor {

  /** The page was restored and has not been used since. */
  private static final Boolean COLD = Boolean.FALSE;
  private static final Boolean USED = Boolean.TRUE;

  /** Access ordered: the pages that were used, least recently first; cold pages anywhere. */
  private final LinkedHashMap<PageId, Boolean> pages = new LinkedHashMap<>(256, 0.75f, true);
  /** Restored pages, newest first; some may be used, or gone. */
  private final List<PageId> restored = new ArrayList<>();

  /** Adds a page that is older than all restored pages so far. */
  synchronized void addOlder(PageId page) {
    if (pages.putIfAbsent(page, COLD) == null) {
      restored.add(page);
    }
  }

  @Override
  public synchronized void updateOnGet(PageId page) {
    pages.replace(page, USED);
  }

  @Override
  public synchronized void updateOnPut(PageId page) {
    pages.put(page, USED);
  }

  @Override
  public synchronized void updateOnDelete(PageId page) {
    pages.remove(page);
  }

  @Override
  public synchronized PageId evict() {
    PageId oldest = oldestCold();
    return oldest != null || pages.isEmpty() ? oldest : pages.keySet().iterator().next();
  }

  private PageId oldestCold() {
    while (!restored.isEmpty()) {
      int last = restored.size() - 1;
      PageId page = restored.get(last);
      // Asking moves a cold page, whose place in the map means nothing.
      if (pages.getOrDefault(page, USED) == COLD) {
        return page;
      }
      restored.remove(last);
    }
    return null;
  }

  @Override
  public synchronized PageId evictMatching(Predicate<PageId> criterion) {
    return pages.keySet().stream().filter(criterion).findFirst().orElse(null);
  }

  @Override
  public synchronized void reset() {
    pages.clear();
    restored.clear();
  }

  /** @return the names of the blocks with pages, the one that was used last first. */
  synchronized List<String> blocksNewestFirst() {
    Set<String> oldestFirst = new LinkedHashSet<>();
    Set<String> cold = new LinkedHashSet<>();
    for (Map.Entry<PageId, Boolean> entry : pages.entrySet()) {
      if (entry.getValue() == USED) {
        // Once more, for its place is that of its youngest page.
        oldestFirst.remove(entry.getKey().getFileId());
        oldestFirst.add(entry.getKey().getFileId());
      }
    }
    for (PageId page : restored) {
      if (pages.getOrDefault(page, USED) == COLD) {
        cold.add(page.getFileId());
      }
    }
    List<String> newestFirst = new ArrayList<>(oldestFirst);
    Collections.reverse(newestFirst);
    cold.removeAll(oldestFirst);
    newestFirst.addAll(cold);
    return newestFirst;
  }
}

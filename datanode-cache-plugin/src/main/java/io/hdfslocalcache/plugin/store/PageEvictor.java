/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.function.Predicate;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.CacheEvictor;

/**
 * Least recently used, as in section 4.3 of the paper on Uber's local cache. Differs from Alluxio's
 * in that a use of a page that is no longer there does not bring it back: readers note their use
 * without a lock on the page, for whoever holds that lock may be waiting for the SSD.
 */
final class PageEvictor implements CacheEvictor {

  private final LinkedHashMap<PageId, Boolean> pages = new LinkedHashMap<>(200, 0.75f, true);

  @Override
  public synchronized void updateOnGet(PageId page) {
    pages.get(page);
  }

  @Override
  public synchronized void updateOnPut(PageId page) {
    pages.put(page, Boolean.TRUE);
  }

  @Override
  public synchronized void updateOnDelete(PageId page) {
    pages.remove(page);
  }

  @Override
  public synchronized PageId evict() {
    Iterator<PageId> eldest = pages.keySet().iterator();
    return eldest.hasNext() ? eldest.next() : null;
  }

  @Override
  public synchronized PageId evictMatching(Predicate<PageId> criterion) {
    return pages.keySet().stream().filter(criterion).findFirst().orElse(null);
  }

  @Override
  public synchronized void reset() {
    pages.clear();
  }
}

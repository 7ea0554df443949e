/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.hdfslocalcache.eviction.Entry;
import io.hdfslocalcache.eviction.EvictionPolicy;
import io.hdfslocalcache.eviction.LazyLru;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.CacheEvictor;

/**
 * Names the page that leaves next. Differs from Alluxio's in that a use of a page that is no longer
 * there does not bring it back: readers note their use without a lock on the page, for whoever
 * holds that lock may be waiting for the SSD. Nor do most of them take any lock here.
 *
 * <p>It can be filled from its old end, too: pages of before a restart are added newest first, for
 * those are the ones that readers will ask for. Unless they are read they leave before all others,
 * oldest first.
 */
final class PageEvictor implements CacheEvictor {

  private static final class Page extends Entry {
    private final PageId id;

    Page(PageId id) {
      this.id = id;
    }
  }

  private final Map<PageId, Page> pages = new ConcurrentHashMap<>();
  private final EvictionPolicy policy = new LazyLru();

  /** Adds a page that is older than all others, unless it is there. */
  synchronized void addOlder(PageId id) {
    Page page = new Page(id);
    if (pages.putIfAbsent(id, page) == null) {
      policy.addOlder(page);
    }
  }

  @Override
  public void updateOnGet(PageId id) {
    Page page = pages.get(id);
    if (page != null) {
      policy.read(page);
    }
  }

  @Override
  public synchronized void updateOnPut(PageId id) {
    Page page = new Page(id);
    Page known = pages.putIfAbsent(id, page);
    if (known == null) {
      policy.add(page);
    } else {
      policy.read(known);
    }
  }

  @Override
  public synchronized void updateOnDelete(PageId id) {
    Page page = pages.remove(id);
    if (page != null) {
      policy.remove(page);
    }
  }

  @Override
  public PageId evict() {
    Page victim = (Page) policy.victim();
    return victim == null ? null : victim.id;
  }

  @Override
  public PageId evictMatching(Predicate<PageId> criterion) {
    return pages.keySet().stream().filter(criterion).findFirst().orElse(null);
  }

  @Override
  public synchronized void reset() {
    List.copyOf(pages.keySet()).forEach(this::updateOnDelete);
  }

  /** @return the names of the blocks with pages, the one that was used last first. */
  List<String> blocksNewestFirst() {
    Set<String> newestFirst = new LinkedHashSet<>();
    policy.lastToLeaveFirst(page -> newestFirst.add(((Page) page).id.getFileId()));
    return new ArrayList<>(newestFirst);
  }
}

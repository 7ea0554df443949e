/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.policy;

import io.hdfslocalcache.eviction.Entry;
import io.hdfslocalcache.eviction.EvictionPolicy;

/** Which pages are on the SSD. Which of them leaves is a policy's business. */
final class PageStore {

  private static final class Page extends Entry {
    private final int number;

    Page(int number) {
      this.number = number;
    }

    @Override
    protected long fingerprint() {
      return number;
    }
  }

  private final Page[] pages;
  private final long capacity;
  private final EvictionPolicy policy;
  private long size;

  /**
   * Makes an empty one.
   *
   * @param pages pages are numbered from 0 to less than this
   * @param capacity how many fit
   */
  PageStore(int pages, long capacity, EvictionPolicy policy) {
    this.pages = new Page[pages];
    this.capacity = capacity;
    this.policy = policy;
  }

  /** Uses a page; returns whether it is there. */
  boolean use(int page) {
    Page found = pages[page];
    if (found != null) {
      policy.read(found);
    }
    return found != null;
  }

  /** Adds a page that is not there. */
  void add(int page) {
    if (size == capacity) {
      Page victim = (Page) policy.victim();
      policy.remove(victim);
      pages[victim.number] = null;
    } else {
      size++;
    }
    pages[page] = new Page(page);
    policy.add(pages[page]);
  }

  /** @return the page that would leave for another, or -1 while there is room. */
  int victim() {
    return size < capacity ? -1 : ((Page) policy.victim()).number;
  }
}

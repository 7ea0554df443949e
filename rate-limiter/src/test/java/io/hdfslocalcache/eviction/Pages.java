/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Numbered pages on an SSD of so many pages. */
final class Pages {

  /** A page by its number. */
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

  static final int NONE = -1;

  private final EvictionPolicy policy;
  private final int capacity;
  private final Map<Integer, Page> pages = new LinkedHashMap<>();

  Pages(EvictionPolicy policy, int capacity) {
    this.policy = policy;
    this.capacity = capacity;
  }

  /** Reads a page; returns whether it is there. */
  boolean read(int number) {
    Page page = pages.get(number);
    if (page != null) {
      policy.read(page);
    }
    return page != null;
  }

  /** Fills a page that is not there; returns the one that left for it. */
  int fill(int number) {
    int victim = pages.size() == capacity ? evict() : NONE;
    pages.put(number, new Page(number));
    policy.add(pages.get(number));
    return victim;
  }

  /** Fills a page that is older than all others. */
  void fillOlder(int number) {
    pages.put(number, new Page(number));
    policy.addOlder(pages.get(number));
  }

  /** Removes a page because it is no longer true. */
  void invalidate(int number) {
    policy.remove(pages.remove(number));
  }

  /** Evicts one; returns which. */
  int evict() {
    Page victim = (Page) policy.victim();
    if (victim == null) {
      return NONE;
    }
    policy.remove(victim);
    pages.remove(victim.number);
    return victim.number;
  }

  /** Returns the pages, the one first that would leave last. */
  List<Integer> lastToLeaveFirst() {
    List<Integer> order = new ArrayList<>();
    policy.lastToLeaveFirst(page -> order.add(((Page) page).number));
    return order;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.hdfslocalcache.replay.simulate.Eviction.Page;

/** Numbered pages on an SSD of so many pages. */
final class Pages {

  static final int NONE = -1;

  private final Eviction.Policy policy;
  private final int capacity;
  private final Map<Integer, Page> pages = new LinkedHashMap<>();

  Pages(Eviction.Policy policy, int capacity) {
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

  /** Removes a page because it is no longer true. */
  void invalidate(int number) {
    policy.remove(pages.remove(number));
  }

  /** Evicts one; returns which. */
  int evict() {
    Page victim = policy.victim();
    if (victim == null) {
      return NONE;
    }
    policy.remove(victim);
    pages.remove(victim.number);
    return victim.number;
  }

  /** @return how many pages there are. */
  int size() {
    return pages.size();
  }
}

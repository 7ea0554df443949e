/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import io.hdfslocalcache.eviction.Entry;
import io.hdfslocalcache.eviction.EvictionPolicy;

/** The pages on the SSD, with a policy of eviction as the DataNode has it. */
final class PolicyCache implements PageCache {

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
  private final int capacity;
  private final EvictionPolicy policy;
  private int size;

  /**
   * Makes an empty one.
   *
   * @param pages pages are numbered from 0 to this, exclusively
   * @param capacity how many fit
   * @param policy has no page yet
   */
  PolicyCache(int pages, int capacity, EvictionPolicy policy) {
    this.pages = new Page[pages];
    this.capacity = capacity;
    this.policy = policy;
  }

  @Override
  public boolean read(int page) {
    Page found = pages[page];
    if (found != null) {
      policy.read(found);
    }
    return found != null;
  }

  @Override
  public int fill(int page) {
    int victim = NONE;
    if (size == capacity) {
      Page leaving = (Page) policy.victim();
      policy.remove(leaving);
      victim = leaving.number;
      pages[victim] = null;
    } else {
      size++;
    }
    pages[page] = new Page(page);
    policy.add(pages[page]);
    return victim;
  }

  @Override
  public int size() {
    return size;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.eviction;

import io.hdfslocalcache.eviction.EntryList;

/**
 * Least recently used, as in section 4.3 of the paper on Uber's local cache: the page that was not
 * read for the longest time leaves.
 */
public final class Lru implements EvictionPolicy {

  private final EntryList<Page> pages = new EntryList<>();

  @Override
  public void add(Page page) {
    pages.addNewest(page);
  }

  @Override
  public boolean read(Page page) {
    boolean moves = page != pages.newest();
    pages.remove(page);
    pages.addNewest(page);
    return moves;
  }

  @Override
  public void remove(Page page) {
    pages.remove(page);
  }

  @Override
  public Page victim() {
    return pages.oldest();
  }
}

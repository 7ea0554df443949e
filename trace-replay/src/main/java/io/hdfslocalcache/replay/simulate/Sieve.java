/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import io.hdfslocalcache.eviction.EntryList;

/**
 * SIEVE (Zhang et al., NSDI 2024): pages stand in the order of their fills; a hand moves from the
 * oldest to the newest, passes those that were read since it came by, and stops at the first that
 * was not. A read sets a bit.
 */
final class Sieve implements Eviction.Policy {

  private final EntryList<Page> pages = new EntryList<>();
  /** Where the hand stands; null: before the oldest. */
  private Page hand;

  @Override
  public void add(Page page) {
    pages.addNewest(page);
  }

  @Override
  public boolean read(Page page) {
    page.reads = 1;
    return false;
  }

  @Override
  public void remove(Page page) {
    if (page == hand) {
      hand = pages.newerThan(page);
    }
    pages.remove(page);
  }

  /** Moves the hand, which takes at most one round. */
  @Override
  public Page victim() {
    Page page = hand == null ? pages.oldest() : hand;
    for (int passed = 0; page != null && page.reads != 0 && passed <= pages.size(); passed++) {
      page.reads = 0;
      Page next = pages.newerThan(page);
      page = next == null ? pages.oldest() : next;
    }
    hand = page;
    return page;
  }
}

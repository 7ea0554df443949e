/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import java.util.function.Consumer;

/**
 * SIEVE (Zhang et al., NSDI 2024): pages stand in the order of their fills; a hand moves from the
 * oldest to the newest, passes those that were read since it came by, and stops at the first that
 * was not. A read sets a bit, and takes no lock. For comparison.
 */
public final class Sieve implements EvictionPolicy {

  private final EntryList pages = new EntryList();
  /** Where the hand stands; null: before the oldest. */
  private Entry hand;

  @Override
  public synchronized void add(Entry page) {
    page.reads = 0;
    pages.addNewest(page);
  }

  @Override
  public synchronized void addOlder(Entry page) {
    page.reads = 0;
    pages.addOldest(page);
    // It would have to wait for the hand to come round.
    hand = null;
  }

  @Override
  public void read(Entry page) {
    // Writing what is there already would take the line away from other cores.
    if (page.reads == 0) {
      page.reads = 1;
    }
  }

  @Override
  public synchronized void remove(Entry page) {
    if (page == hand) {
      hand = pages.newerThan(page);
    }
    pages.remove(page);
  }

  /** Moves the hand, which takes at most one round: readers do not set bits faster than that. */
  @Override
  public synchronized Entry victim() {
    Entry page = hand == null ? pages.oldest() : hand;
    for (int passed = 0; page != null && page.reads != 0 && passed <= pages.size(); passed++) {
      page.reads = 0;
      Entry next = pages.newerThan(page);
      page = next == null ? pages.oldest() : next;
    }
    hand = page;
    return page;
  }

  /** The pages that were read since the hand passed, then the others; the newest first of each. */
  @Override
  public synchronized void lastToLeaveFirst(Consumer<Entry> consumer) {
    for (int asked = 1; asked >= 0; asked--) {
      for (Entry page = pages.newest(); page != null; page = pages.olderThan(page)) {
        if (page.reads == asked) {
          consumer.accept(page);
        }
      }
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import java.util.function.Consumer;

/**
 * Least recently used, but a page that is among the youngest eighth stays where it is when it is
 * read: what the DataNode runs. Hot pages are nearly always there, so most reads take no lock and
 * write nothing; a page on its way out is moved away from there by a read, as with {@link Lru}.
 */
public final class LazyLru implements EvictionPolicy {

  /** The part of all pages that stays, as a shift. */
  private static final int YOUNGEST = 3;

  /** As old as can be. */
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  private final EntryList pages = new EntryList();
  /**
   * How often a page was put at the young end. A page since which this happened n times is among
   * the n youngest. Written with the lock; a reader that sees an old number moves a page too many
   * or too few.
   */
  private long moves;

  @Override
  public synchronized void add(Entry page) {
    page.moved = moves++;
    pages.addNewest(page);
  }

  @Override
  public synchronized void addOlder(Entry page) {
    page.moved = LONG_AGO;
    pages.addOldest(page);
  }

  @Override
  public void read(Entry page) {
    if (moves - page.moved > pages.size() >> YOUNGEST) {
      move(page);
    }
  }

  private synchronized void move(Entry page) {
    if (page.isLinked()) {
      pages.remove(page);
      add(page);
    }
  }

  @Override
  public synchronized void remove(Entry page) {
    pages.remove(page);
  }

  @Override
  public synchronized Entry victim() {
    return pages.oldest();
  }

  @Override
  public synchronized void lastToLeaveFirst(Consumer<Entry> consumer) {
    for (Entry page = pages.newest(); page != null; page = pages.olderThan(page)) {
      consumer.accept(page);
    }
  }
}

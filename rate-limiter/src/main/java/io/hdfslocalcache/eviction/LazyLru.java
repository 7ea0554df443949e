/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import java.util.function.Consumer;

/**
 * The order in which pages leave: least recently used, but a page that is among the youngest
 * quarter stays where it is when it is read. Hot pages are nearly always there, so most reads take
 * no lock and write nothing; a page on its way out is moved away from there by a read.
 *
 * <p>All methods may be called by any thread at any time; whoever calls them sees to it that a page
 * is added once and removed once.
 */
public final class LazyLru {

  /** The part of all pages that stays, as a shift. */
  private static final int YOUNGEST = 2;

  /** Before this, pages were added at the old end. */
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  /** The time of several orders, whose pages can be compared by age; also their lock. */
  public static final class Clock {
    /**
     * How often a page was put at a young end. A page since which this happened n times is among
     * the n youngest. Written with the lock; a reader that sees an old number moves a page too many
     * or too few.
     */
    private long moves;
    private long oldest = LONG_AGO;
  }

  private final EntryList<Entry> pages = new EntryList<>();
  private final Clock clock;

  /** Makes an order of its own. */
  public LazyLru() {
    this(new Clock());
  }

  /** Makes an order whose pages can be compared with those of other orders of this clock. */
  public LazyLru(Clock clock) {
    this.clock = clock;
  }

  /** Adds a page that has just been filled. */
  public void add(Entry page) {
    synchronized (clock) {
      page.moved = clock.moves++;
      pages.addNewest(page);
    }
  }

  /** Adds a page that is to leave before those that are there, unless it is read before. */
  public void addOlder(Entry page) {
    synchronized (clock) {
      page.moved = --clock.oldest;
      pages.addOldest(page);
    }
  }

  /**
   * Adds a page at the age of another, of an order of this clock, whose place it takes. Right for
   * pages that are added from the youngest to the oldest; otherwise it may become younger.
   */
  public void addAsOld(Entry page, Entry as) {
    synchronized (clock) {
      page.moved = as.moved;
      Entry oldest = pages.oldest();
      if (oldest == null || page.moved <= oldest.moved) {
        pages.addOldest(page);
      } else {
        pages.addNewest(page);
      }
    }
  }

  /**
   * A page was read, one that has left perhaps: then nothing happens.
   *
   * @return whether it has another place in the order now
   */
  public boolean read(Entry page) {
    if (clock.moves - page.moved <= pages.size() >> YOUNGEST) {
      return false;
    }
    synchronized (clock) {
      boolean moves = page.isLinked() && page != pages.newest();
      if (page.isLinked()) {
        pages.remove(page);
        add(page);
      }
      return moves;
    }
  }

  /** Removes a page, for whatever reason. */
  public void remove(Entry page) {
    synchronized (clock) {
      pages.remove(page);
    }
  }

  /** @return the page that is to leave next, which stays until it is removed; null if none. */
  public Entry victim() {
    synchronized (clock) {
      return pages.oldest();
    }
  }

  /** @return the older of two pages of orders of the same clock; either may be null. */
  public static Entry older(Entry one, Entry other) {
    return one == null || other != null && other.moved < one.moved ? other : one;
  }

  /** @return a number that is the greater, the younger a page is among those of its clock. */
  public static long youth(Entry page) {
    return page.moved;
  }

  /** Tells the pages, the one first that would leave last. */
  public void lastToLeaveFirst(Consumer<Entry> consumer) {
    synchronized (clock) {
      for (Entry page = pages.newest(); page != null; page = pages.olderThan(page)) {
        consumer.accept(page);
      }
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import java.util.function.Consumer;

/**
 * The order in which pages leave: two queues. A page that comes is new; when it is read, it is proven.
 * While more than a tenth of all pages are new, the new page that came first leaves, otherwise the
 * proven page that was read least recently. So a page that may never be read again takes the place
 * of another such page: what a generous admission lets in cannot push out what is read.
 *
 * <p>A proven page that is among the youngest quarter stays where it is when it is read. Hot pages
 * are nearly always there, so most reads take no lock and write nothing; a page on its way out is
 * moved away from there by a read.
 *
 * <p>All methods may be called by any thread at any time; whoever calls them sees to it that a page
 * is added once and removed once.
 */
public final class LazyLru {

  /** The part of the proven pages that stays, as a shift. */
  private static final int YOUNGEST = 2;

  /**
   * One page of so many may be new. With one in five, or one in twenty, offload is less on nearly every
   * trace; see bench/results/policy.md.
   */
  private static final int ONE_NEW_OF = 10;

  /** Before this, pages were added at the old end. */
  private static final long LONG_AGO = Long.MIN_VALUE / 4;

  /** What several orders have in common, whose pages can be compared; also their lock. */
  public static final class Clock {
    /**
     * How often a page was put at a young end. A proven page since which this happened n times is
     * among the n youngest. Written with the lock; a reader that sees an old number moves a page too
     * many or too few.
     */
    private long moves;
    /** How many new pages came. They have a time of their own: it must not make proven pages older. */
    private long came;
    private long oldest = LONG_AGO;
    /** Pages of all orders, but for those that are kept while there are others. */
    private long pages;
    private long newPages;

    /** @return whether the next page to leave is a new one, if there is one to choose. */
    private boolean hasTooManyNew() {
      return newPages * ONE_NEW_OF > pages;
    }

    /** @return which of two pages of orders of this clock leaves first; either may be null. */
    public synchronized Entry first(Entry one, Entry other) {
      if (one == null || other == null) {
        return one == null ? other : one;
      }
      if (one.isNew() != other.isNew()) {
        return one.isNew() == hasTooManyNew() ? one : other;
      }
      return other.moved < one.moved ? other : one;
    }
  }

  private final EntryList<Entry> proven = new EntryList<>();
  private final EntryList<Entry> fresh = new EntryList<>();
  private final Clock clock;
  private final boolean isKept;

  /** Makes an order of its own. */
  public LazyLru() {
    this(new Clock(), false);
  }

  /**
   * Makes an order whose pages can be compared with those of other orders of this clock.
   *
   * @param isKept whether its pages stay while others have any, as pinned pages do: pages that cannot
   *     leave do not make new pages of others too many
   */
  public LazyLru(Clock clock, boolean isKept) {
    this.clock = clock;
    this.isKept = isKept;
  }

  /** Adds a page that has just been filled, and is new. */
  public void add(Entry page) {
    synchronized (clock) {
      page.moved = Entry.newAt(clock.came++);
      fresh.addNewest(page);
      count(page, 1);
    }
  }

  /** Adds a proven page that leaves before those that are there, unless it is read before. */
  public void addOlder(Entry page) {
    synchronized (clock) {
      page.moved = Entry.provenAt(--clock.oldest);
      proven.addOldest(page);
      count(page, 1);
    }
  }

  /**
   * Adds a page at the age of another, of an order of this clock, whose place it takes. Right for
   * pages that are added from the youngest to the oldest; otherwise it may become younger.
   */
  public void addAsOld(Entry page, Entry as) {
    synchronized (clock) {
      page.moved = as.moved;
      EntryList<Entry> queue = queue(page);
      Entry oldest = queue.oldest();
      if (oldest == null || page.moved <= oldest.moved) {
        queue.addOldest(page);
      } else {
        queue.addNewest(page);
      }
      count(page, 1);
    }
  }

  /** Which queue a page is in. */
  private EntryList<Entry> queue(Entry page) {
    return page.isNew() ? fresh : proven;
  }

  private void count(Entry page, int pages) {
    clock.pages += isKept ? 0 : pages;
    clock.newPages += isKept || !page.isNew() ? 0 : pages;
  }

  /**
   * A page was read, one that has left perhaps: then nothing happens.
   *
   * @return whether it has another place in the order now
   */
  public boolean read(Entry page) {
    if (!page.isNew() && clock.moves - page.time() <= proven.size() >> YOUNGEST) {
      return false;
    }
    synchronized (clock) {
      boolean moves = page.isLinked() && page != proven.newest();
      if (page.isLinked()) {
        remove(page);
        page.moved = Entry.provenAt(clock.moves++);
        proven.addNewest(page);
        count(page, 1);
      }
      return moves;
    }
  }

  /** Removes a page, for whatever reason. */
  public void remove(Entry page) {
    synchronized (clock) {
      queue(page).remove(page);
      count(page, -1);
    }
  }

  /** @return the page that is to leave next, which stays until it is removed; null if none. */
  public Entry victim() {
    synchronized (clock) {
      return clock.first(fresh.oldest(), proven.oldest());
    }
  }

  /** @return a number that is the greater, the younger a page is among those of its clock. */
  public static long youth(Entry page) {
    return page.moved;
  }

  /** Tells the pages, those that are proven first and of these the one that would leave last. */
  public void lastToLeaveFirst(Consumer<Entry> consumer) {
    synchronized (clock) {
      tell(proven, consumer);
      tell(fresh, consumer);
    }
  }

  private static void tell(EntryList<Entry> queue, Consumer<Entry> consumer) {
    for (Entry page = queue.newest(); page != null; page = queue.olderThan(page)) {
      consumer.accept(page);
    }
  }
}

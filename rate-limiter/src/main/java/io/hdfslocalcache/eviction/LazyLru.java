/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The order of eviction: least recently used, but pages age at three speeds. A page read since it
 * was filled ages slowest; one not read yet ages twice as fast; and one filled at its first miss,
 * eight times as fast. So pages admitted with little care replace others like them, and not pages
 * that are read. All pages age: pages that nobody reads any more are evicted too, and pages that
 * are read in turn stay if there is room.
 *
 * <p>A read does not move a page that is in the youngest quarter of its speed. Hot pages are nearly
 * always there, so most reads take no lock and write nothing; a read of an older page moves it to
 * the young end. Reading a page piece by piece does not count as reading it again.
 *
 * <p>Thread-safe; the callers make sure that a page is added once and removed once.
 */
public final class LazyLru {

  /** Bits of {@link Entry#moved} that are the page's rank. */
  private static final int RANK_BITS = 2;

  /** Ranks: filled at the first miss; missed before; read since it was filled. */
  private static final int FIRST_MISS = 0;
  private static final int MISSED_BEFORE = 1;
  private static final int READ = 2;
  /**
   * How fast pages of each rank age. bench/results/policy.md shows the effect of half and double:
   * as long as pages of a first miss age much faster than read pages, little depends on it.
   */
  private static final int[] SPEED = {8, 2, 1};

  /** The share of a rank's pages that a read does not move, as a shift. */
  private static final int YOUNGEST = 2;

  /** Times of pages added at the old end are lower. At every speed, older than all others. */
  private static final long LONG_AGO = Long.MIN_VALUE >> 8;

  /** The place of a page in an order. Subclasses add the page. */
  public abstract static class Entry {
    /** The neighbours in the list; null if the page is in no list. */
    private Entry newer;
    private Entry older;
    /**
     * Time of the last move to the young end, as a count of moves, with the rank in the lowest
     * bits. There are millions of pages, and a separate field would cost eight bytes each.
     */
    private long moved;

    /** Sets time and rank. */
    private void moveTo(long time, int rank) {
      moved = time << RANK_BITS | rank;
    }

    /** @return whether the page is in the order. */
    private boolean isLinked() {
      return newer != null;
    }
  }

  /** Pages of a rank: a ring from the oldest to the newest, closed by a head that is no page. */
  private static final class Ring {

    private final Entry head = new Entry() { };
    private int size;
    /** The last page that was added by its time; it may be elsewhere by now. */
    private Entry placed;

    Ring() {
      head.newer = head;
      head.older = head;
    }

    int size() {
      return size;
    }

    /** @return the oldest page, or null. */
    Entry oldest() {
      return orNull(head.newer);
    }

    /** @return the newest page, or null. */
    Entry newest() {
      return orNull(head.older);
    }

    /** @return the page before this one, or null. */
    Entry olderThan(Entry page) {
      return orNull(page.older);
    }

    private Entry orNull(Entry page) {
      return page == head ? null : page;
    }

    /** Adds a page that is in no list. */
    void addNewest(Entry page) {
      insert(page, head.older, head);
    }

    /** Adds a page that is in no list. */
    void addOldest(Entry page) {
      insert(page, head, head.newer);
    }

    /**
     * Adds a page that is in no list, by its time. Takes no search if it is the oldest. Otherwise the
     * search continues at the last page added so, if that is younger.
     */
    void addByTime(Entry page) {
      Entry newer = head;
      if (head.newer != head && page.moved <= head.newer.moved) {
        newer = head.newer;
      } else {
        if (placed != null && placed.isLinked() && rank(placed.moved) == rank(page.moved)
            && placed.moved >= page.moved) {
          newer = placed;
        }
        while (newer.older != head && newer.older.moved > page.moved) {
          newer = newer.older;
        }
      }
      insert(page, newer.older, newer);
      placed = page;
    }

    private void insert(Entry page, Entry older, Entry newer) {
      page.older = older;
      page.newer = newer;
      older.newer = page;
      newer.older = page;
      size++;
    }

    void remove(Entry page) {
      page.older.newer = page.newer;
      page.newer.older = page.older;
      page.older = null;
      page.newer = null;
      size--;
    }
  }

  /** The clock and lock of several orders whose pages are compared by age. */
  public static final class Clock {
    /**
     * Number of moves to a young end. A page moved n moves ago is among the n youngest. Written
     * with the lock; a reader that sees an old number moves a page too many or too few.
     */
    private long moves;
    private long oldest = LONG_AGO;

    /** @return the age of a page, to be compared with others now; the oldest is evicted first. */
    public long age(Entry page) {
      long moved = page.moved;
      return (moves - time(moved)) * SPEED[rank(moved)];
    }

    /** @return the older of two pages of this clock's orders; either may be null. */
    public synchronized Entry older(Entry one, Entry other) {
      return one == null || other != null && age(other) > age(one) ? other : one;
    }
  }

  private final List<Ring> ranks = new ArrayList<>();
  private final Clock clock;

  /** Creates an order with its own clock. */
  public LazyLru() {
    this(new Clock());
  }

  /** Creates an order whose pages can be compared with those of this clock's other orders. */
  public LazyLru(Clock clock) {
    this.clock = clock;
    for (int rank = 0; rank < SPEED.length; rank++) {
      ranks.add(new Ring());
    }
  }

  private static int rank(long moved) {
    return (int) moved & (1 << RANK_BITS) - 1;
  }

  private static long time(long moved) {
    return moved >> RANK_BITS;
  }

  private Ring listOf(Entry page) {
    return ranks.get(rank(page.moved));
  }

  /**
   * Adds a page that has just been filled.
   *
   * @param wasMissedBefore whether it was missed before the miss that filled it
   */
  public void add(Entry page, boolean wasMissedBefore) {
    synchronized (clock) {
      addNewest(page, wasMissedBefore ? MISSED_BEFORE : FIRST_MISS);
    }
  }

  private void addNewest(Entry page, int rank) {
    page.moveTo(clock.moves++, rank);
    listOf(page).addNewest(page);
  }

  /** Adds a page to be evicted before the present ones, unless it is read. */
  public void addOlder(Entry page) {
    synchronized (clock) {
      page.moveTo(--clock.oldest, READ);
      listOf(page).addOldest(page);
    }
  }

  /**
   * Adds a page with the age of another one that it replaces, in an order of this clock. Quick if
   * pages are added from the youngest to the oldest.
   */
  public void addAsOld(Entry page, Entry as) {
    synchronized (clock) {
      page.moved = as.moved;
      listOf(page).addByTime(page);
    }
  }

  /**
   * A page was read. Does nothing if it was removed already.
   *
   * @return whether it was moved in the order
   */
  public boolean read(Entry page) {
    long moved = page.moved;
    if (clock.moves - time(moved) <= ranks.get(rank(moved)).size() >> YOUNGEST) {
      return false;
    }
    synchronized (clock) {
      boolean moves = page.isLinked() && page != ranks.get(READ).newest();
      if (page.isLinked()) {
        listOf(page).remove(page);
        addNewest(page, READ);
      }
      return moves;
    }
  }

  /** Removes a page, for whatever reason. */
  public void remove(Entry page) {
    synchronized (clock) {
      listOf(page).remove(page);
    }
  }

  /** @return the page to evict next, which stays until it is removed; null if none. */
  public Entry victim() {
    synchronized (clock) {
      Entry victim = null;
      for (Ring rank : ranks) {
        victim = clock.older(victim, rank.oldest());
      }
      return victim;
    }
  }

  /** Visits the pages, the last to be evicted first. */
  public void lastToLeaveFirst(Consumer<Entry> consumer) {
    synchronized (clock) {
      Entry[] next = ranks.stream().map(Ring::newest).toArray(Entry[]::new);
      while (true) {
        int last = -1;
        for (int rank = 0; rank < next.length; rank++) {
          if (next[rank] != null
              && (last < 0 || clock.age(next[rank]) < clock.age(next[last]))) {
            last = rank;
          }
        }
        if (last < 0) {
          return;
        }
        consumer.accept(next[last]);
        next[last] = ranks.get(last).olderThan(next[last]);
      }
    }
  }
}

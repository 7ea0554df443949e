/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The order in which pages leave: least recently used, but pages age at three speeds. A page that was
 * read since it came ages slowest; one that was not ages twice as fast; and one that nobody had missed
 * before it was let in, eight times as fast. So what is let in with little care takes the place of
 * others like it, and not of what is read. All age: pages that nobody reads any more leave as well, and
 * what is read in turn stays if there is room for it.
 *
 * <p>A page that is among the youngest stays where it is when it is read: as many of its speed as
 * there are in a quarter of them. Hot pages are nearly always there, so most reads take no lock and write
 * nothing; a page on its way out is moved away from there by a read. And a reader that comes for one
 * piece of a page after the other has not read it again.
 *
 * <p>All methods may be called by any thread at any time; whoever calls them sees to it that a page
 * is added once and removed once.
 */
public final class LazyLru {

  /** Bits of {@link Entry#moved} that are the page's rank. */
  static final int RANK_BITS = 2;

  /** Ranks: nobody had missed the page before; somebody had; it was read since it came. */
  private static final int FIRST_MISS = 0;
  private static final int MISSED_BEFORE = 1;
  private static final int READ = 2;
  /**
   * How fast pages of each rank age. bench/results/policy.md has what half and double of it do: as long
   * as pages of a first miss age much faster than those that are read, little depends on it.
   */
  private static final int[] SPEED = {8, 2, 1};

  /** The part of the pages of a rank that stays, as a shift. */
  private static final int YOUNGEST = 2;

  /** Before this, pages were added at the old end. At every speed it is longer ago than all else. */
  private static final long LONG_AGO = Long.MIN_VALUE >> 8;

  /** The time of several orders, whose pages can be compared by age; also their lock. */
  public static final class Clock {
    /**
     * How often a page was put at a young end. A page since which this happened n times is among
     * the n youngest. Written with the lock; a reader that sees an old number moves a page too many
     * or too few.
     */
    private long moves;
    private long oldest = LONG_AGO;

    /** @return a number that is the greater, the sooner a page leaves, compared with others now. */
    public long age(Entry page) {
      long moved = page.moved;
      return (moves - time(moved)) * SPEED[rank(moved)];
    }

    /** @return which of two pages of orders of this clock leaves first; either may be null. */
    public synchronized Entry older(Entry one, Entry other) {
      return one == null || other != null && age(other) > age(one) ? other : one;
    }
  }

  private final List<EntryList<Entry>> ranks = new ArrayList<>();
  private final Clock clock;

  /** Makes an order of its own. */
  public LazyLru() {
    this(new Clock());
  }

  /** Makes an order whose pages can be compared with those of other orders of this clock. */
  public LazyLru(Clock clock) {
    this.clock = clock;
    for (int rank = 0; rank < SPEED.length; rank++) {
      ranks.add(new EntryList<>());
    }
  }

  private static int rank(long moved) {
    return (int) moved & (1 << RANK_BITS) - 1;
  }

  private static long time(long moved) {
    return moved >> RANK_BITS;
  }

  private EntryList<Entry> listOf(Entry page) {
    return ranks.get(rank(page.moved));
  }

  /**
   * Adds a page that has just been filled.
   *
   * @param wasMissedBefore whether it had been missed before the miss that let it in
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

  /** Adds a page that is to leave before those that are there, unless it is read before. */
  public void addOlder(Entry page) {
    synchronized (clock) {
      page.moveTo(--clock.oldest, READ);
      listOf(page).addOldest(page);
    }
  }

  /**
   * Adds a page at the age of another, of an order of this clock, whose place it takes. Right for
   * pages that are added from the youngest to the oldest; otherwise it may become younger.
   */
  public void addAsOld(Entry page, Entry as) {
    synchronized (clock) {
      page.moved = as.moved;
      EntryList<Entry> list = listOf(page);
      Entry oldest = list.oldest();
      if (oldest == null || page.moved <= oldest.moved) {
        list.addOldest(page);
      } else {
        list.addNewest(page);
      }
    }
  }

  /**
   * A page was read, one that has left perhaps: then nothing happens.
   *
   * @return whether it has another place in the order now
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

  /** @return the page that is to leave next, which stays until it is removed; null if none. */
  public Entry victim() {
    synchronized (clock) {
      Entry victim = null;
      for (EntryList<Entry> rank : ranks) {
        victim = clock.older(victim, rank.oldest());
      }
      return victim;
    }
  }

  /** Tells the pages, the one first that would leave last. */
  public void lastToLeaveFirst(Consumer<Entry> consumer) {
    synchronized (clock) {
      Entry[] next = ranks.stream().map(EntryList::newest).toArray(Entry[]::new);
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

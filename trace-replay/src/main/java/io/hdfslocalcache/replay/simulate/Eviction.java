/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.function.Supplier;

import io.hdfslocalcache.eviction.Entry;
import io.hdfslocalcache.eviction.EntryList;
import io.hdfslocalcache.eviction.LazyLru;

/** The policies of eviction that can be simulated. */
public enum Eviction {
  /** What the local cache does: least recently used, but the youngest quarter is not reordered. */
  LRU(DataNodePolicy::new),
  /** Least recently used, to the page. */
  EXACT_LRU(ExactLru::new),
  /** As a comparison. */
  SIEVE(Sieve::new),
  /** As a comparison. */
  S3_FIFO(S3Fifo::new);

  private final Supplier<Policy> policy;

  Eviction(Supplier<Policy> policy) {
    this.policy = policy;
  }

  /** @return a policy that has no page yet. */
  Policy policy() {
    return policy.get();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** An order in which pages leave. Used by one thread. */
  interface Policy {

    /** Adds a page that has just been filled, and is in no order. */
    void add(Page page);

    /**
     * A page was read that is there.
     *
     * @return whether it has another place in the order now; a DataNode would take a lock for that
     */
    boolean read(Page page);

    /** Removes a page that is there. */
    void remove(Page page);

    /** @return the page that is to leave next, which stays until it is removed; null if none. */
    Page victim();
  }

  /** What the DataNode runs. */
  private static final class DataNodePolicy implements Policy {
    private final LazyLru order = new LazyLru();

    @Override
    public void add(Page page) {
      order.add(page);
    }

    @Override
    public boolean read(Page page) {
      return order.read(page);
    }

    @Override
    public void remove(Page page) {
      order.remove(page);
    }

    @Override
    public Page victim() {
      return (Page) order.victim();
    }
  }

  /**
   * Least recently used, as in section 4.3 of the paper on Uber's local cache: the page that was
   * not read for the longest time leaves.
   */
  private static final class ExactLru implements Policy {
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

  /** A page on the SSD, from its fill until it leaves. */
  static final class Page extends Entry {
    /** The same whenever this page enters. */
    final int number;
    /** The parts that are there, a bit for each. */
    int parts;
    /** Whether it was read since it came. */
    boolean wasRead;
    /** Reads, as {@link Sieve} and {@link S3Fifo} count them. */
    byte reads;
    /** Whether the page is in the small queue of {@link S3Fifo}. */
    boolean isInSmall;

    /** Makes one that is in no order of eviction. */
    Page(int number) {
      this.number = number;
    }
  }

  /**
   * SIEVE (Zhang et al., NSDI 2024): pages stand in the order of their fills; a hand moves from the
   * oldest to the newest, passes those that were read since it came by, and stops at the first that
   * was not. A read sets a bit.
   */
  static final class Sieve implements Eviction.Policy {

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

  /**
   * S3-FIFO (Yang et al., SOSP 2023): pages enter a small queue, a tenth of all, and go on into the
   * main queue if they were read more than once there; otherwise they leave, and only their
   * numbers are remembered, as many as the main queue has pages. A page that comes back meanwhile
   * enters the main queue at once. There it is passed once for each read, three at most.
   */
  static final class S3Fifo implements Eviction.Policy {

    private static final int MOST_READS = 3;
    private static final int READS_TO_STAY = 2;

    private final EntryList<Page> small = new EntryList<>();
    private final EntryList<Page> main = new EntryList<>();
    private final Queue<Integer> ghosts = new ArrayDeque<>();
    private final Map<Integer, Integer> ghostCounts = new HashMap<>();

    @Override
    public void add(Page page) {
      page.isInSmall = !ghostCounts.containsKey(page.number);
      (page.isInSmall ? small : main).addNewest(page);
    }

    @Override
    public boolean read(Page page) {
      if (page.reads < MOST_READS) {
        page.reads++;
      }
      return false;
    }

    @Override
    public void remove(Page page) {
      if (page.isInSmall) {
        small.remove(page);
        remember(page.number);
      } else {
        main.remove(page);
      }
    }

    private void remember(int number) {
      ghosts.add(number);
      ghostCounts.merge(number, 1, Integer::sum);
      while (ghosts.size() > Math.max(1, main.size())) {
        ghostCounts.computeIfPresent(ghosts.remove(), (key, n) -> n == 1 ? null : n - 1);
      }
    }

    @Override
    public Page victim() {
      Page victim = null;
      if (small.size() >= (small.size() + main.size() + 9) / 10) {
        victim = victimOfSmall();
      }
      return victim != null ? victim : victimOfMain();
    }

    private Page victimOfSmall() {
      Page page = small.oldest();
      while (page != null && page.reads >= READS_TO_STAY) {
        small.remove(page);
        page.reads = 0;
        page.isInSmall = false;
        main.addNewest(page);
        page = small.oldest();
      }
      return page;
    }

    private Page victimOfMain() {
      Page page = main.oldest();
      for (long passed = 0; page != null && page.reads > 0; passed++) {
        page.reads = (byte) (passed > 4L * main.size() ? 0 : page.reads - 1);
        main.remove(page);
        main.addNewest(page);
        page = main.oldest();
      }
      return page != null ? page : small.oldest();
    }
  }
}

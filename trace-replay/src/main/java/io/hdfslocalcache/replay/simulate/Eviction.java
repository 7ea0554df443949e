/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Locale;
import java.util.function.Supplier;

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
}

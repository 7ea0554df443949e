/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.eviction;

/**
 * The pages on an SSD, by number and without their bytes: a policy as the simulator runs it. Used by
 * one thread.
 */
public final class NumberedPages {

  private final Page[] pages;
  private final EvictionPolicy policy;
  private int size;

  /**
   * Makes an empty one.
   *
   * @param pages pages are numbered from 0 to this, exclusively
   * @param policy has no page yet
   */
  public NumberedPages(int pages, EvictionPolicy policy) {
    this.pages = new Page[pages];
    this.policy = policy;
  }

  /**
   * Reads a page if it is there.
   *
   * @return whether it has another place in the order now
   */
  public boolean read(int page) {
    return pages[page] != null && policy.read(pages[page]);
  }

  /** Fills a page that is not there. */
  public void fill(int page) {
    pages[page] = new Page(page);
    policy.add(pages[page]);
    size++;
  }

  /** Removes the page that is to leave next and returns it; there must be one. */
  public int evict() {
    Page leaving = policy.victim();
    policy.remove(leaving);
    pages[leaving.number()] = null;
    size--;
    return leaving.number();
  }

  /** @return how many pages there are. */
  public int size() {
    return size;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

/**
 * The pages on an SSD, by number and without their bytes: a policy as the simulator runs it. Used by
 * one thread.
 */
public final class NumberedPages {

  private static final class Page extends Entry {
    private final int number;

    Page(int number) {
      this.number = number;
    }

    @Override
    protected long fingerprint() {
      return number;
    }
  }

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
   * @return whether it has another place in the order now; a policy takes its lock for that
   */
  public boolean read(int page) {
    Page found = pages[page];
    if (found == null) {
      return false;
    }
    Entry older = found.older;
    Entry newer = found.newer;
    policy.read(found);
    return found.older != older || found.newer != newer;
  }

  /** Fills a page that is not there. */
  public void fill(int page) {
    pages[page] = new Page(page);
    policy.add(pages[page]);
    size++;
  }

  /** Removes the page that is to leave next and returns it; there must be one. */
  public int evict() {
    Page leaving = (Page) policy.victim();
    policy.remove(leaving);
    pages[leaving.number] = null;
    size--;
    return leaving.number;
  }

  /** @return how many pages there are. */
  public int size() {
    return size;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

/**
 * The pages on an SSD of so many pages, by number and without their bytes: a policy as simulators
 * run it. Used by one thread.
 */
public final class NumberedPages {

  /** No page. */
  public static final int NONE = -1;

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
  private final long capacity;
  private final EvictionPolicy policy;
  private int size;

  /**
   * Makes an empty one.
   *
   * @param pages pages are numbered from 0 to this, exclusively
   * @param capacity how many fit
   * @param policy has no page yet
   */
  public NumberedPages(int pages, long capacity, EvictionPolicy policy) {
    this.pages = new Page[pages];
    this.capacity = capacity;
    this.policy = policy;
  }

  /** Reads a page; returns whether it is there. */
  public boolean read(int page) {
    Page found = pages[page];
    if (found != null) {
      policy.read(found);
    }
    return found != null;
  }

  /** Fills a page that is not there; returns the one that left for it, or {@link #NONE}. */
  public int fill(int page) {
    int victim = size == capacity ? evict() : NONE;
    pages[page] = new Page(page);
    policy.add(pages[page]);
    size++;
    return victim;
  }

  /** Removes the page that is to leave next and returns it; there must be one. */
  public int evict() {
    Page leaving = (Page) policy.victim();
    policy.remove(leaving);
    pages[leaving.number] = null;
    size--;
    return leaving.number;
  }

  /** @return the page that would leave for another, or {@link #NONE} while there is room. */
  public int victim() {
    return size < capacity ? NONE : ((Page) policy.victim()).number;
  }

  /** @return how many pages there are. */
  public int size() {
    return size;
  }
}

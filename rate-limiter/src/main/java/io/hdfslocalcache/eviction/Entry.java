/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

/**
 * An entry for a page in an eviction order. Subclasses add the page.
 */
public abstract class Entry {
  /** The neighbours in the list; null if the page is in no list. */
  Entry newer;
  Entry older;
  /**
   * Time of the last move to the young end, as a count of moves, with the rank in the lowest bits;
   * for {@link LazyLru}. There are millions of pages, and a separate field would cost eight bytes
   * each.
   */
  long moved;

  /** Sets time and rank. */
  void moveTo(long time, int rank) {
    moved = time << LazyLru.RANK_BITS | rank;
  }

  /** @return whether the page is in the order. */
  boolean isLinked() {
    return newer != null;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

/**
 * A page as an order of eviction sees it: a place in a list. Who knows what page it is extends this
 * class.
 */
public abstract class Entry {
  /** The neighbours in the list; null while the page is in none. */
  Entry newer;
  Entry older;
  /**
   * When the page was put at the young end, in a count of such moves, and its rank in the lowest bits;
   * for {@link LazyLru}. There are millions of pages: a field of its own would cost eight bytes.
   */
  long moved;

  /** Puts the page at a time. */
  void moveTo(long time, int rank) {
    moved = time << LazyLru.RANK_BITS | rank;
  }

  /** @return whether the page is in the order. */
  boolean isLinked() {
    return newer != null;
  }
}

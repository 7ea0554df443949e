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
   * When the page was put where it is, for {@link LazyLru}: twice the time, and one more if it is new.
   * There are millions of pages: a field of its own would cost each of them eight bytes.
   */
  long moved;

  /** @return what {@link #moved} is for a page that nobody has read since it came. */
  static long newAt(long time) {
    return time << 1 | 1;
  }

  /** @return what {@link #moved} is for a page that was read. */
  static long provenAt(long time) {
    return time << 1;
  }

  /** @return whether nobody has read the page since it came. */
  boolean isNew() {
    return (moved & 1) == 1;
  }

  /** @return when the page was put where it is, in a count of such moves. */
  long time() {
    return moved >> 1;
  }

  /** @return whether the page is in the order. */
  boolean isLinked() {
    return newer != null;
  }
}

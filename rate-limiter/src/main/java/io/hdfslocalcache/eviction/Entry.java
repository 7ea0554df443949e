/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

/** A page as a policy sees it: a place in a list. Who knows what page it is extends this class. */
public abstract class Entry {
  /** The neighbours in the list; null while the page is in none. */
  Entry newer;
  Entry older;
  /** When the page was put at the young end, in a count of such moves; for {@link LazyLru}. */
  long moved;
  /**
   * Reads, as {@link Sieve} and {@link S3Fifo} count them. Written without a lock: a read that is
   * lost does no harm.
   */
  byte reads;
  /** Which of a policy's lists the page is in. */
  byte list;

  /** @return whether the page is in the order. */
  boolean isLinked() {
    return newer != null;
  }

  /** @return the same number whenever this page enters, and most likely no other's. */
  protected long fingerprint() {
    return System.identityHashCode(this);
  }
}

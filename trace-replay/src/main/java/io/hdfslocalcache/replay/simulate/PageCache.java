/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

/**
 * Which pages are on the SSD, and which of them leaves next: a policy of eviction. Holds as many
 * pages as it was made for, at most.
 */
public interface PageCache {

  /** No page. */
  int NONE = -1;

  /**
   * A page is read.
   *
   * @return whether it is there
   */
  boolean read(int page);

  /**
   * Puts in a page that is not there.
   *
   * @return the page that had to leave for it, or {@link #NONE}
   */
  int fill(int page);

  /** @return how many pages are there. */
  int size();
}

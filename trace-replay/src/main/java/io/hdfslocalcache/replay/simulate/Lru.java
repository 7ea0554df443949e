/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;

/** The page that was not read for the longest time leaves, as in the local cache of a DataNode. */
final class Lru implements PageCache {

  private final int capacity;
  /** Neighbours in a ring by time of the last read; the last one is its head. */
  private final int[] newer;
  private final int[] older;
  private final int head;
  private int size;

  /**
   * Makes an empty one.
   *
   * @param pages pages are numbered from 0 to this, exclusively
   * @param capacity how many fit
   */
  Lru(int pages, int capacity) {
    this.capacity = capacity;
    this.head = pages;
    this.newer = new int[pages + 1];
    this.older = new int[pages + 1];
    Arrays.fill(newer, NONE);
    newer[head] = head;
    older[head] = head;
  }

  @Override
  public boolean read(int page) {
    if (newer[page] == NONE) {
      return false;
    }
    unlink(page);
    link(page);
    return true;
  }

  @Override
  public int fill(int page) {
    int victim = NONE;
    if (size == capacity) {
      victim = newer[head];
      unlink(victim);
      newer[victim] = NONE;
    } else {
      size++;
    }
    link(page);
    return victim;
  }

  /** The ring runs from the head to the oldest, and by way of newer ones back to the head. */
  private void link(int page) {
    int newest = older[head];
    older[page] = newest;
    newer[page] = head;
    newer[newest] = page;
    older[head] = page;
  }

  private void unlink(int page) {
    newer[older[page]] = newer[page];
    older[newer[page]] = older[page];
  }

  @Override
  public int size() {
    return size;
  }
}

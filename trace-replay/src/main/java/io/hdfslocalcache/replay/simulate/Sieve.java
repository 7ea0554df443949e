/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;

/**
 * SIEVE (Zhang et al., NSDI 2024): pages stand in the order of their fills; a hand moves from the
 * oldest to the newest, passes those that were read since it came by, and evicts the first that was
 * not.
 */
final class Sieve implements PageCache {

  private final int capacity;
  private final int[] newer;
  private final int[] older;
  private final boolean[] visited;
  private final int head;
  private int hand;
  private int size;

  /** Makes an empty one; see {@link Lru}. */
  Sieve(int pages, int capacity) {
    this.capacity = capacity;
    this.head = pages;
    this.hand = pages;
    this.newer = new int[pages + 1];
    this.older = new int[pages + 1];
    this.visited = new boolean[pages];
    Arrays.fill(newer, NONE);
    newer[head] = head;
    older[head] = head;
  }

  @Override
  public boolean read(int page) {
    if (newer[page] == NONE) {
      return false;
    }
    visited[page] = true;
    return true;
  }

  @Override
  public int fill(int page) {
    int victim = NONE;
    if (size == capacity) {
      victim = evict();
    } else {
      size++;
    }
    int newest = older[head];
    older[page] = newest;
    newer[page] = head;
    newer[newest] = page;
    older[head] = page;
    visited[page] = false;
    return victim;
  }

  private int evict() {
    int page = hand == head ? newer[head] : hand;
    while (visited[page]) {
      visited[page] = false;
      page = newer[page] == head ? newer[head] : newer[page];
    }
    hand = newer[page];
    newer[older[page]] = newer[page];
    older[newer[page]] = older[page];
    newer[page] = NONE;
    return page;
  }

  @Override
  public int size() {
    return size;
  }
}

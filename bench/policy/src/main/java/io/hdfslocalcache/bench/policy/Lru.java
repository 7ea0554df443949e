/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.policy;

import java.util.Arrays;

/** Which pages are on the SSD; the least recently used one leaves first. */
final class Lru {
  private static final int ABSENT = -2;
  private static final int END = -1;

  private final long capacity;
  private final int[] newer;
  private final int[] older;
  private int newest = END;
  private int oldest = END;
  private long size;

  Lru(int pages, long capacity) {
    this.capacity = capacity;
    this.newer = new int[pages];
    this.older = new int[pages];
    Arrays.fill(newer, ABSENT);
  }

  /** Uses a page; returns whether it is there. */
  boolean use(int page) {
    if (newer[page] == ABSENT) {
      return false;
    }
    if (page != newest) {
      unlink(page);
      push(page);
    }
    return true;
  }

  /** Adds a page that is not there. */
  void add(int page) {
    if (size == capacity) {
      int victim = oldest;
      unlink(victim);
      newer[victim] = ABSENT;
      size--;
    }
    push(page);
    size++;
  }

  private void push(int page) {
    newer[page] = END;
    older[page] = newest;
    if (newest != END) {
      newer[newest] = page;
    } else {
      oldest = page;
    }
    newest = page;
  }

  private void unlink(int page) {
    if (newer[page] != END) {
      older[newer[page]] = older[page];
    } else {
      newest = older[page];
    }
    if (older[page] != END) {
      newer[older[page]] = newer[page];
    } else {
      oldest = newer[page];
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Locale;

/** The policies of eviction that can be simulated. */
public enum Eviction {
  /** What the local cache does. */
  LRU {
    @Override
    PageCache create(int pages, int capacity) {
      return new Lru(pages, capacity);
    }
  },
  /** As a comparison. */
  SIEVE {
    @Override
    PageCache create(int pages, int capacity) {
      return new Sieve(pages, capacity);
    }
  };

  /**
   * Makes an empty cache.
   *
   * @param pages pages are numbered from 0 to this, exclusively
   * @param capacity how many fit, at least 1
   */
  abstract PageCache create(int pages, int capacity);

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

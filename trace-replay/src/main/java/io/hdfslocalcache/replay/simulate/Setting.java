/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

/**
 * What is simulated.
 *
 * @param limiter which blocks are admitted
 * @param eviction which page leaves
 * @param pageSize bytes of data in a page
 * @param capacity bytes that pages may take on the SSD
 */
public record Setting(Limiter limiter, Eviction eviction, int pageSize, long capacity) {

  /** @return how many whole pages fit. @throws IllegalArgumentException if none does */
  int capacityPages(PageTrace trace) {
    long pages = capacity / trace.fullPageSpace();
    if (pages < 1) {
      throw new IllegalArgumentException("no page of " + pageSize + " bytes fits in " + capacity
          + " bytes");
    }
    return (int) Math.min(Integer.MAX_VALUE, pages);
  }
}

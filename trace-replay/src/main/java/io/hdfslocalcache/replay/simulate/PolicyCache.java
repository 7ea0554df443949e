/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import io.hdfslocalcache.eviction.EvictionPolicy;
import io.hdfslocalcache.eviction.NumberedPages;

/** The pages on the SSD, with a policy of eviction as the DataNode has it. */
final class PolicyCache implements PageCache {

  private final NumberedPages pages;

  /**
   * Makes an empty one.
   *
   * @param pages pages are numbered from 0 to this, exclusively
   * @param capacity how many fit
   * @param policy has no page yet
   */
  PolicyCache(int pages, int capacity, EvictionPolicy policy) {
    this.pages = new NumberedPages(pages, capacity, policy);
  }

  @Override
  public boolean read(int page) {
    return pages.read(page);
  }

  @Override
  public int fill(int page) {
    return pages.fill(page);
  }

  @Override
  public int size() {
    return pages.size();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Locale;
import java.util.function.Supplier;

import io.hdfslocalcache.eviction.EvictionPolicy;
import io.hdfslocalcache.eviction.LazyLru;
import io.hdfslocalcache.eviction.Lru;
import io.hdfslocalcache.eviction.S3Fifo;
import io.hdfslocalcache.eviction.Sieve;

/** The policies of eviction that can be simulated. */
public enum Eviction {
  /** What the local cache does: least recently used, but the youngest quarter is not reordered. */
  LRU(LazyLru::new),
  /** Least recently used, to the page. */
  EXACT_LRU(Lru::new),
  /** As a comparison. */
  SIEVE(Sieve::new),
  /** As a comparison. */
  S3_FIFO(S3Fifo::new);

  private final Supplier<EvictionPolicy> policy;

  Eviction(Supplier<EvictionPolicy> policy) {
    this.policy = policy;
  }

  /**
   * Makes an empty cache.
   *
   * @param pages pages are numbered from 0 to this, exclusively
   * @param capacity how many fit, at least 1
   */
  PageCache create(int pages, int capacity) {
    return new PolicyCache(pages, capacity, policy.get());
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Locale;
import java.util.function.Supplier;

import io.hdfslocalcache.replay.eviction.DataNodePolicy;
import io.hdfslocalcache.replay.eviction.EvictionPolicy;
import io.hdfslocalcache.replay.eviction.Lru;
import io.hdfslocalcache.replay.eviction.S3Fifo;
import io.hdfslocalcache.replay.eviction.Sieve;

/** The policies of eviction that can be simulated. */
public enum Eviction {
  /** What the local cache does: least recently used, but the youngest quarter is not reordered. */
  LRU(DataNodePolicy::new),
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

  /** @return a policy that has no page yet. */
  EvictionPolicy policy() {
    return policy.get();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import io.hdfslocalcache.plugin.block.BlockKey;

/**
 * A share of the blocks, the same at any time and on every DataNode: all reads of a sampled block
 * are traced, so that a simulated local cache scaled by the share has the same hit rate (spatial
 * sampling; Waldspurger et al., SHARDS, FAST '15).
 *
 * @param share of all blocks, above 0 to 1
 */
record Sample(double share) {

  private static final int BITS = 53;

  Sample {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "the sample must be a number above 0, at most 1, got: " + share);
    }
  }

  boolean contains(BlockKey block) {
    if (share >= 1) {
      return true;
    }
    long hash = mix(block.blockId() + 31L * block.blockPoolId().hashCode());
    return (hash >>> Long.SIZE - BITS) < share * (1L << BITS);
  }

  /** Scatters consecutive ids; the finalizer of splitmix64. */
  private static long mix(long id) {
    long z = (id ^ id >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}

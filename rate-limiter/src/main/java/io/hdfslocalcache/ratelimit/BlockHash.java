/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Turns block pool and block id into one well-mixed 64-bit key that is never 0, which marks a
 * free slot in a {@link BlockTable}.
 *
 * <p>Block ids are sequential per namespace, so two block pools of one DataNode use the same
 * ones: the pool's 64-bit hash enters the key. Within a pool different blocks have different
 * keys (but for the two that may share zero's stand-in), because the mixing is a bijection. Of two
 * pools with a million blocks each, any pair of blocks collides with a probability of 2^-24.
 *
 * <p>A DataNode gets the pool's id as a new string with every request, so nothing is remembered
 * in it. The few pools there are stand in a small array, copied when it grows.
 */
final class BlockHash {
  /** A DataNode serves one pool per namespace; pools beyond this many are hashed every time. */
  static final int MAX_POOLS = 64;

  private static final long STAND_IN_FOR_ZERO = 0x9E3779B97F4A7C15L;
  private static final long FNV_OFFSET = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;

  private record Pool(String id, long hash) {
  }

  private final AtomicReference<Pool[]> pools = new AtomicReference<>(new Pool[0]);

  /**
   * Makes the key of a block.
   *
   * @param blockPoolId the block pool
   * @param blockId the block
   * @return any value but 0
   */
  long of(String blockPoolId, long blockId) {
    return key(poolHash(blockPoolId), blockId);
  }

  /**
   * Makes the key of a block of a pool with a given hash. The block id is mixed before it meets
   * the hash: sequential ids of two pools would otherwise collide all at once, if ever.
   */
  static long key(long poolHash, long blockId) {
    long key = mix(mix(blockId) ^ poolHash);
    return key == 0 ? STAND_IN_FOR_ZERO : key;
  }

  /** @return the key of a page of the block with a given key. */
  static long ofPage(long blockKey, int page) {
    return mix(blockKey + page * STAND_IN_FOR_ZERO);
  }

  /** @return how many pools are remembered. */
  int rememberedPools() {
    return pools.get().length;
  }

  private long poolHash(String id) {
    for (Pool pool : pools.get()) {
      if (pool.id.equals(id)) {
        return pool.hash;
      }
    }
    return remember(id);
  }

  private long remember(String id) {
    long hash = hash(id);
    Pool[] known = pools.get();
    if (known.length < MAX_POOLS) {
      Pool[] more = Arrays.copyOf(known, known.length + 1);
      more[known.length] = new Pool(id, hash);
      // Lost to another thread: the next read of this pool remembers it.
      pools.compareAndSet(known, more);
    }
    return hash;
  }

  /** FNV-1a over the characters; its weak high bits are mixed. */
  private static long hash(String text) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return mix(hash);
  }

  /** A bijection of the 64-bit numbers: the finalizer known as Stafford's variant 13. */
  static long mix(long x) {
    long y = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    y = (y ^ (y >>> 27)) * 0x94D049BB133111EBL;
    return y ^ (y >>> 31);
  }
}

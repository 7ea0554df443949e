/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import java.util.HashSet;
import java.util.Set;
import org.junit.Test;

/** Keys of blocks: never 0, never equal for what a DataNode meets. */
public class TestBlockHash {
  private static final long FIRST_BLOCK = 1L << 30;

  @Test
  public void key_thatMixesToZero_isNotTheFreeSlot() {
    long poolHash = BlockHash.mix(FIRST_BLOCK);
    long key = BlockHash.key(poolHash, FIRST_BLOCK);
    assertNotEquals(0, key);
    assertNotEquals(key, BlockHash.key(poolHash, FIRST_BLOCK + 1));

    CountedReads rules = new CountedReads(10, 1);
    BlockTable table = new BlockTable(rules, 1024);
    table.add(key, 0);
    table.add(key, 0);
    assertEquals(2, rules.reads(table.history(table.state(key)), 0));
  }

  @Test
  public void keys_ofPoolsAlikeAndSequentialIds_areDistinct() {
    BlockHash keys = new BlockHash();
    Set<Long> seen = new HashSet<>();
    int ids = 50_000;
    for (int pool = 0; pool < 4; pool++) {
      for (long i = 0; i < ids; i++) {
        seen.add(keys.of("BP-100" + pool + "-10.0.0.1-1700000000000", FIRST_BLOCK + i));
        // Groups of erasure-coded blocks have negative ids.
        seen.add(keys.of("BP-100" + pool + "-10.0.0.1-1700000000000", Long.MIN_VALUE + i));
      }
    }
    assertEquals(4 * 2 * ids, seen.size());
  }

  @Test
  public void poolsWithEqualHashCode_haveDifferentKeys() {
    assertEquals("Aa".hashCode(), "BB".hashCode());
    BlockHash keys = new BlockHash();
    assertNotEquals(keys.of("Aa", 1), keys.of("BB", 1));
  }

  @Test
  public void manyPools_rememberedOnesBounded_keysStayTheSame() {
    BlockHash keys = new BlockHash();
    Set<Long> seen = new HashSet<>();
    for (int round = 0; round < 2; round++) {
      for (int pool = 0; pool < 3 * BlockHash.MAX_POOLS; pool++) {
        seen.add(keys.of("BP-" + pool, 7));
      }
    }
    assertEquals(3 * BlockHash.MAX_POOLS, seen.size());
    assertEquals(BlockHash.MAX_POOLS, keys.rememberedPools());
  }
}

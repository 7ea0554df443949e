/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import java.util.HashSet;
import java.util.Set;
import org.junit.Test;

/** Keys of blocks: never 0, and different for all blocks that a DataNode meets. */
public class TestBlockTable {
  private static final String POOL = "BP-1-10.0.0.1-1";
  private static final long FIRST_BLOCK = 1L << 30;

  private final BlockTable table =
      new BucketTimeRateLimit.Window(10, 1, 1024, new TestingClock());

  @Test
  public void key_thatMixesToZero_isNotTheFreeSlot() {
    long block = -BlockTable.hash(POOL);
    assertEquals(0, BlockTable.mix(block + BlockTable.hash(POOL)));
    assertNotEquals(0, key(POOL, block));
    assertNotEquals(key(POOL, block), key(POOL, block + 1));
    assertEquals(0, table.reads(POOL, block), 0);
    table.record(POOL, block, 0, 1);
    table.record(POOL, block, 0, 1);
    assertEquals(2, table.reads(POOL, block), 0);
  }

  private long key(String pool, long block) {
    return BlockTable.key(table.poolHash(pool), block);
  }

  @Test
  public void keys_ofPoolsAlikeAndSequentialIds_areDistinct() {
    Set<Long> seen = new HashSet<>();
    int ids = 50_000;
    for (int pool = 0; pool < 4; pool++) {
      for (long i = 0; i < ids; i++) {
        seen.add(key("BP-100" + pool + "-10.0.0.1-1700000000000", FIRST_BLOCK + i));
        // Groups of erasure-coded blocks have negative ids.
        seen.add(key("BP-100" + pool + "-10.0.0.1-1700000000000", Long.MIN_VALUE + i));
      }
    }
    assertEquals(4 * 2 * ids, seen.size());
  }

  @Test
  public void poolsWithEqualHashCode_haveDifferentKeys() {
    assertEquals("Aa".hashCode(), "BB".hashCode());
    assertNotEquals(key("Aa", 1), key("BB", 1));
  }

  @Test
  public void manyPools_rememberedOnesBounded_keysStayTheSame() {
    Set<Long> seen = new HashSet<>();
    for (int round = 0; round < 2; round++) {
      for (int pool = 0; pool < 3 * BlockTable.MAX_POOLS; pool++) {
        seen.add(key("BP-" + pool, 7));
      }
    }
    assertEquals(3 * BlockTable.MAX_POOLS, seen.size());
    assertEquals(BlockTable.MAX_POOLS, table.rememberedPools());
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import org.junit.Test;

public class TestBlockFileId {

  private static String name(String pool, long id, long stamp) {
    return BlockFileId.of(new ReplicaSnapshot(new BlockKey(pool, id), stamp, 10));
  }

  @Test
  public void of_blockPoolThatCouldLeadOutOfADirectory_isRefused() {
    for (String pool : new String[] {"", ".", "..", "a/b", "../BP-1", "BP-1\0", "BP 1", "BP\\1"}) {
      ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey(pool, 1), 2, 3);
      assertThrows(IllegalArgumentException.class, () -> BlockFileId.of(snapshot));
      assertNull(BlockFileId.blockOf(pool + "_blk_1_2"));
    }
    BlockKey ipv6 = new BlockKey("BP-1-fe80:0:0:0:1%eth0-2", 1);
    assertEquals(ipv6, BlockFileId.blockOf(BlockFileId.of(new ReplicaSnapshot(ipv6, 2, 3))));
  }

  @Test
  public void blockOf_nameOfASnapshot_isItsBlock() {
    String[] pools = {"BP-2008-10.0.0.1-1700000000000", "BP_1", "odd_blk_5_6"};
    for (String pool : pools) {
      // Striped blocks have negative ids.
      for (long id : new long[] {0, 1073741825, -9223372036854775792L, Long.MAX_VALUE}) {
        assertEquals(new BlockKey(pool, id), BlockFileId.blockOf(name(pool, id, 1001)));
      }
    }
  }

  @Test
  public void of_differentPoolIdOrStamp_differentNames() {
    assertNotEquals(name("BP-1", 7, 1001), name("BP-2", 7, 1001));
    assertNotEquals(name("BP-1", 7, 1001), name("BP-1", 8, 1001));
    assertNotEquals(name("BP-1", 7, 1001), name("BP-1", 7, 1002));
    assertNotEquals(name("BP-1", 71, 1), name("BP-1", 7, 11));
  }

  @Test
  public void blockOf_otherStrings_isNull() {
    String[] others = {"", "page", "BP-1", "BP-1_blk_", "BP-1_blk_7", "BP-1_blk__1001",
        "BP-1_blk_x_1001", "BP-1_blk_99999999999999999999_1001", "BP-1blk_7_1001"};
    for (String other : others) {
      assertNull(other, BlockFileId.blockOf(other));
    }
  }
}

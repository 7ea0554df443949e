/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.HashSet;
import java.util.Set;

import org.junit.Test;

public class TestReplicaIdentity {

  private static final ReplicaIdentity IDENTITY =
      new ReplicaIdentity(7_274_502, 1_700_000_000_123_456L, 8_388_615);

  private static String name(String pool, long id, long stamp) {
    return IDENTITY.fileId(new ReplicaSnapshot(new BlockKey(pool, id), stamp, 10));
  }

  @Test
  public void fileId_blockPoolThatCouldLeadOutOfADirectory_isRefused() {
    for (String pool : new String[] {"", ".", "..", "a/b", "../BP-1", "BP-1\0", "BP 1", "BP\\1"}) {
      ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey(pool, 1), 2, 3);
      assertThrows(IllegalArgumentException.class, () -> IDENTITY.fileId(snapshot));
      assertNull(ReplicaIdentity.blockOf(pool + "_blk_1_2"));
    }
    BlockKey ipv6 = new BlockKey("BP-1-fe80:0:0:0:1%eth0-2", 1);
    assertEquals(ipv6, ReplicaIdentity.blockOf(IDENTITY.fileId(new ReplicaSnapshot(ipv6, 2, 3))));
  }

  @Test
  public void blockOf_nameOfASnapshot_isItsBlock() {
    String[] pools = {"BP-2008-10.0.0.1-1700000000000", "BP_1", "odd_blk_5_6"};
    for (String pool : pools) {
      // Striped blocks have negative ids.
      for (long id : new long[] {0, 1073741825, -9223372036854775792L, Long.MAX_VALUE}) {
        assertEquals(new BlockKey(pool, id), ReplicaIdentity.blockOf(name(pool, id, 1001)));
      }
    }
  }

  @Test
  public void fileId_differentPoolIdOrStamp_differentNames() {
    assertNotEquals(name("BP-1", 7, 1001), name("BP-2", 7, 1001));
    assertNotEquals(name("BP-1", 7, 1001), name("BP-1", 8, 1001));
    assertNotEquals(name("BP-1", 7, 1001), name("BP-1", 7, 1002));
    assertNotEquals(name("BP-1", 71, 1), name("BP-1", 7, 11));
  }

  /** A block id and a generation stamp that were used twice. */
  @Test
  public void fileId_differentReplica_differentNames() {
    ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey("BP-1", 7), 1001, 10);
    ReplicaIdentity[] all = {IDENTITY, ReplicaIdentity.NONE,
        new ReplicaIdentity(7_274_503, 1_700_000_000_123_456L, 8_388_615),
        new ReplicaIdentity(7_274_502, 1_700_000_000_123_457L, 8_388_615),
        new ReplicaIdentity(7_274_502, 1_700_000_000_123_456L, 8_388_616),
        new ReplicaIdentity(-1, -1, -1),
        new ReplicaIdentity(Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE)};
    Set<String> names = new HashSet<>();
    for (ReplicaIdentity identity : all) {
      String name = identity.fileId(snapshot);
      assertTrue(name, names.add(name));
      assertTrue(name, name.length() < 255);
      assertEquals(snapshot.key(), ReplicaIdentity.blockOf(name));
      assertEquals(identity, ReplicaIdentity.inName(name));
    }
  }

  @Test
  public void inName_otherStrings_isNull() {
    for (String other : new String[] {"", "BP-1_blk_7_1001", "BP-1_blk_7_1001_", "x_1.2", "x_1.2.3.4",
        "x_1..3", "x_1.2.3.", "x_01.2.3", "x_+1.2.3", "x_A.2.3", "x_1.2.zzzzzzzzzzzzzzz"}) {
      assertNull(other, ReplicaIdentity.inName(other));
    }
  }

  @Test
  public void blockOf_otherStrings_isNull() {
    String[] others = {"", "page", "BP-1", "BP-1_blk_", "BP-1_blk_7", "BP-1_blk__1001",
        "BP-1_blk_x_1001", "BP-1_blk_99999999999999999999_1001", "BP-1blk_7_1001"};
    for (String other : others) {
      assertNull(other, ReplicaIdentity.blockOf(other));
    }
  }
}

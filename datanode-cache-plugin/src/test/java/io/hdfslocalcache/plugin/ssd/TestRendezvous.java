/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.block.BlockKey;
import org.junit.Test;

/** Where blocks go when SSDs come and go. */
public class TestRendezvous {

  private static final int BLOCKS = 24_000;

  private static List<Path> directories(int n) {
    return IntStream.range(0, n).mapToObj(i -> Path.of("/ssd/" + i + "/hdfs-local-cache")).toList();
  }

  /** Ids as a NameNode gives them, one after the other, in two block pools. */
  private static List<BlockKey> blocks() {
    return IntStream.range(0, BLOCKS).mapToObj(i ->
        new BlockKey(i % 2 == 0 ? "BP-1-10.0.0.1-1" : "BP-2-10.0.0.2-2", 1_073_741_825L + i / 2))
        .toList();
  }

  @Test
  public void of_someSsds_eachHasItsShare() {
    for (int n : new int[] {1, 2, 3, 5, 12}) {
      Rendezvous spread = new Rendezvous(directories(n));
      Map<Path, Integer> shares = new HashMap<>();
      blocks().forEach(block -> shares.merge(spread.of(block), 1, Integer::sum));
      assertEquals(n, shares.size());
      shares.forEach((directory, share) -> assertEquals(directory + " of " + n,
          BLOCKS / n, share, 0.1 * BLOCKS / n));
    }
  }

  @Test
  public void of_oneSsdMore_itsShareMovesToItAndNothingElse() {
    for (int n : new int[] {1, 2, 3, 5, 11}) {
      Rendezvous before = new Rendezvous(directories(n));
      Rendezvous after = new Rendezvous(directories(n + 1));
      Path added = directories(n + 1).get(n);
      int moved = 0;
      for (BlockKey block : blocks()) {
        if (!before.of(block).equals(after.of(block))) {
          assertEquals(added, after.of(block));
          moved++;
        }
      }
      assertTrue(moved + " blocks moved to SSD " + (n + 1), moved <= 1.1 * BLOCKS / (n + 1));
    }
  }

  @Test
  public void of_otherOrder_isTheSame() {
    List<Path> reversed = new ArrayList<>(directories(5));
    Collections.reverse(reversed);
    Rendezvous one = new Rendezvous(directories(5));
    Rendezvous other = new Rendezvous(reversed);
    blocks().forEach(block -> assertEquals(one.of(block), other.of(block)));
  }

  /** Pages on the SSDs are found by it: another function would move most of them. */
  @Test
  public void of_neverChanges() {
    Rendezvous spread = new Rendezvous(directories(3));
    StringBuilder found = new StringBuilder();
    blocks().subList(0, 12).forEach(block ->
        found.append(spread.of(block).getName(1)));
    assertEquals("122122122000", found.toString());
  }

  @Test
  public void of_noSsd_isNull() {
    assertNull(new Rendezvous(List.of()).of(new BlockKey("BP-1", 1)));
  }
}

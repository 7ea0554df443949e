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
public class TestPlaces {

  private static final int BLOCKS = 24_000;

  private static List<Path> directories(int n) {
    return IntStream.range(0, n).mapToObj(i -> Path.of("/ssd/" + i + "/hdfs-local-cache")).toList();
  }

  private static Places places(List<Path> directories) {
    Places places = Places.NONE;
    for (Path directory : directories) {
      places = places.with(new Places.Place(directory, null, false));
    }
    return places;
  }

  /** Ids as a NameNode gives them, one after the other, in two block pools. */
  private static List<BlockKey> blocks() {
    return IntStream.range(0, BLOCKS).mapToObj(i ->
        new BlockKey(i % 2 == 0 ? "BP-1-10.0.0.1-1" : "BP-2-10.0.0.2-2", 1_073_741_825L + i / 2))
        .toList();
  }

  @Test
  public void choose_someSsds_eachHasItsShare() {
    for (int n : new int[] {1, 2, 3, 5, 12}) {
      Places spread = places(directories(n));
      Map<Path, Integer> shares = new HashMap<>();
      blocks().forEach(block -> shares.merge(spread.choose(block), 1, Integer::sum));
      assertEquals(n, shares.size());
      shares.forEach((directory, share) -> assertEquals(directory + " of " + n,
          BLOCKS / n, share, 0.1 * BLOCKS / n));
    }
  }

  @Test
  public void choose_oneSsdMore_itsShareMovesToItAndNothingElse() {
    for (int n : new int[] {1, 2, 3, 5, 11}) {
      Places before = places(directories(n));
      Places after = places(directories(n + 1));
      Path added = directories(n + 1).get(n);
      int moved = 0;
      for (BlockKey block : blocks()) {
        if (!before.choose(block).equals(after.choose(block))) {
          assertEquals(added, after.choose(block));
          moved++;
        }
      }
      assertTrue(moved + " blocks moved to SSD " + (n + 1), moved <= 1.1 * BLOCKS / (n + 1));
    }
  }

  @Test
  public void choose_otherOrder_isTheSame() {
    List<Path> reversed = new ArrayList<>(directories(5));
    Collections.reverse(reversed);
    Places one = places(directories(5));
    Places other = places(reversed);
    blocks().forEach(block -> assertEquals(one.choose(block), other.choose(block)));
  }

  /** Pages on the SSDs are found by it: another function would move most of them. */
  @Test
  public void choose_neverChanges() {
    Places spread = places(directories(3));
    StringBuilder found = new StringBuilder();
    blocks().subList(0, 12).forEach(block ->
        found.append(spread.choose(block).getName(1)));
    assertEquals("122122122000", found.toString());
  }

  @Test
  public void choose_noSsd_isNull() {
    assertNull(places(List.of()).choose(new BlockKey("BP-1", 1)));
  }
}

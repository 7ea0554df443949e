/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;

import java.util.Random;
import java.util.TreeSet;

import org.junit.Test;

/** The set against java.util.TreeSet. */
public class TestPlaceSet {

  @Test
  public void last_randomChanges_isThatOfTreeSet() {
    long seed = 11;
    Random random = new Random(seed);
    for (int limit : new int[] {1, 63, 64, 65, 4096, 4097, 300_000}) {
      PlaceSet set = new PlaceSet(limit);
      TreeSet<Integer> reference = new TreeSet<>();
      for (int i = 0; i < 20_000; i++) {
        int number = random.nextInt(limit);
        if (random.nextBoolean() && !reference.contains(number)) {
          set.add(number);
          reference.add(number);
        } else {
          int other = reference.isEmpty() || random.nextBoolean() ? number : reference.last();
          assertEquals(reference.remove(other), set.remove(other));
        }
        assertEquals(reference.size(), set.size());
        if (!reference.isEmpty()) {
          assertEquals("seed " + seed, (int) reference.last(), set.last());
        }
      }
    }
  }
}

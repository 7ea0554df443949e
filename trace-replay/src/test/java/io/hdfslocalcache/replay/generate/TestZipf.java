/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.util.SplittableRandom;

import org.junit.Test;

/** Draws come in the shares that the distribution promises. */
public class TestZipf {

  private static final long SEED = 3;
  private static final int DRAWS = 200_000;

  private static long[] draw(int ranks, double exponent) {
    Zipf zipf = new Zipf(ranks, exponent);
    SplittableRandom random = new SplittableRandom(SEED);
    long[] counts = new long[ranks];
    for (int i = 0; i < DRAWS; i++) {
      counts[zipf.draw(random)]++;
    }
    return counts;
  }

  @Test
  public void draw_eachRank_hasItsShare() {
    for (double exponent : new double[] {0.5, 1, 2}) {
      long[] counts = draw(10, exponent);
      double sum = 0;
      for (int rank = 0; rank < 10; rank++) {
        sum += Math.pow(rank + 1, -exponent);
      }
      for (int rank = 0; rank < 10; rank++) {
        assertEquals("seed " + SEED + ", exponent " + exponent + ", rank " + rank,
            Math.pow(rank + 1, -exponent) / sum, (double) counts[rank] / DRAWS, 0.005);
      }
    }
  }

  @Test
  public void draw_exponent0_allAreAlike() {
    for (long count : draw(4, 0)) {
      assertEquals(0.25, (double) count / DRAWS, 0.005);
    }
  }

  @Test
  public void draw_oneRank_isAlwaysThat() {
    assertArrayEquals(new long[] {DRAWS}, draw(1, 1));
  }
}

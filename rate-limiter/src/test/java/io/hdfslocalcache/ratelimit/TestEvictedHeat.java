/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Random;
import org.junit.Test;

/** Three of four evicted pages are hotter than what is followed. */
public class TestEvictedHeat {
  private static final double LEAST = 1.4;
  private static final long SEED = 7;

  private final EvictedHeat heat = new EvictedHeat(LEAST);
  private final Random random = new Random(SEED);

  /** Heats from 0 to the hottest, all as often. */
  private void evict(int minutes, int perMinute, double hottest) {
    for (int minute = 0; minute < minutes; minute++) {
      for (int i = 0; i < perMinute; i++) {
        heat.evicted(hottest * random.nextDouble());
      }
      heat.step();
    }
  }

  @Test
  public void manyEvictions_threeOfFourAreHotter() {
    for (double hottest : new double[] {1000, 4, 100}) {
      evict(60, 500, hottest);
      assertEquals("seed " + SEED, 0.25 * hottest, heat.heat(), 0.1 * hottest);
    }
  }

  @Test
  public void oneEvictionAMinute_isFollowedSlowly_butNotForgotten() {
    evict(10, 1, 1000);
    assertTrue("seed " + SEED + ": " + heat.heat(), heat.heat() < 4 * LEAST);
    evict(2000, 1, 1000);
    double then = heat.heat();
    assertTrue("seed " + SEED + ": " + then, then > 100);
    evict(1000, 0, 0);
    assertEquals("no page leaves", then, heat.heat(), 0);
  }

  @Test
  public void coldPages_neverBelowTheLeast() {
    evict(100, 100, 0.1);
    assertEquals(LEAST, heat.heat(), 0);
  }
}

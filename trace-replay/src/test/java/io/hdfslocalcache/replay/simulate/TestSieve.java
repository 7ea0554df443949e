/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.hdfslocalcache.replay.simulate.Eviction.Sieve;
import org.junit.Test;

/** SIEVE by hand and against a slow version of it. */
public class TestSieve {

  /** As the paper has it, with a list from the oldest to the newest. */
  private static final class Reference {
    private final List<Integer> pages = new ArrayList<>();
    private final List<Integer> visited = new ArrayList<>();
    private int hand;

    boolean read(int page) {
      if (pages.contains(page)) {
        if (!visited.contains(page)) {
          visited.add(page);
        }
        return true;
      }
      return false;
    }

    int fill(int page, int capacity) {
      int victim = Pages.NONE;
      if (pages.size() == capacity) {
        while (visited.remove(pages.get(hand))) {
          hand = (hand + 1) % pages.size();
        }
        victim = pages.remove(hand);
        if (hand == pages.size()) {
          hand = Integer.MAX_VALUE;
        }
      }
      pages.add(page);
      // At the end, the hand goes back to the oldest, not on to what has just come.
      hand = hand == Integer.MAX_VALUE ? 0 : hand;
      return victim;
    }
  }

  @Test
  public void fill_pageReadSince_isPassedOnce() {
    Pages sieve = new Pages(new Sieve(), 2);
    sieve.fill(1);
    sieve.fill(2);
    assertTrue(sieve.read(1));
    assertEquals(2, sieve.fill(3));
    assertFalse(sieve.read(2));
    // The hand has come to the newest, and begins again with the oldest.
    assertEquals(1, sieve.fill(4));
    assertTrue(sieve.read(3));
    assertEquals(4, sieve.fill(5));
  }

  @Test
  public void fill_randomReads_victimsAreThoseOfTheSlowVersion() {
    long seed = 3;
    Random random = new Random(seed);
    Pages sieve = new Pages(new Sieve(), 12);
    Reference reference = new Reference();
    for (int i = 0; i < 20_000; i++) {
      int page = (int) Math.min(49, Math.abs(random.nextGaussian() * 15));
      boolean hit = reference.read(page);
      assertEquals("seed " + seed + " step " + i, hit, sieve.read(page));
      if (!hit) {
        assertEquals("seed " + seed + " step " + i, reference.fill(page, 12), sieve.fill(page));
      }
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.hdfslocalcache.replay.simulate.Eviction.Page;
import io.hdfslocalcache.replay.simulate.Eviction.S3Fifo;
import org.junit.Test;

/** What all policies have in common, and S3-FIFO's own. */
public class TestEvictionPolicies {

  private static List<Eviction.Policy> all() {
    return Arrays.stream(Eviction.values()).map(Eviction::policy).toList();
  }

  @Test
  public void victim_empty_isNone() {
    for (Eviction.Policy policy : all()) {
      assertEquals(Pages.NONE, new Pages(policy, 1).evict());
    }
  }

  @Test
  public void evict_randomReadsFillsAndInvalidations_everyPageLeavesOnce() {
    for (Eviction.Policy policy : all()) {
      long seed = 5;
      Random random = new Random(seed);
      Pages pages = new Pages(policy, 30);
      List<Integer> there = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        int page = random.nextInt(100);
        String step = policy + " seed " + seed + " step " + i;
        assertEquals(step, there.contains(page), pages.read(page));
        if (!there.contains(page)) {
          int victim = pages.fill(page);
          assertEquals(step, there.size() == 30, victim != Pages.NONE);
          there.remove((Integer) victim);
          there.add(page);
        } else if (random.nextInt(10) == 0) {
          pages.invalidate(page);
          there.remove((Integer) page);
        }
      }
      for (int left = pages.size(); left > 0; left--) {
        assertTrue(there.remove((Integer) pages.evict()));
      }
      assertTrue(there.isEmpty());
    }
  }

  @Test
  public void read_tellsWhetherThePageMoved() {
    assertFalse("the newest", moves(Eviction.EXACT_LRU, 7));
    assertTrue(moves(Eviction.EXACT_LRU, 6));
    assertFalse("the newest", moves(Eviction.LRU, 7));
    assertFalse("among the youngest quarter", moves(Eviction.LRU, 6));
    assertTrue(moves(Eviction.LRU, 0));
    assertFalse(moves(Eviction.SIEVE, 7));
    assertFalse(moves(Eviction.SIEVE, 0));
  }

  /** Fills eight pages and reads one; returns whether that moves it. */
  private static boolean moves(Eviction eviction, int read) {
    Eviction.Policy policy = eviction.policy();
    List<Page> pages = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      pages.add(new Page(number));
      policy.add(pages.get(number));
    }
    return policy.read(pages.get(read));
  }

  @Test
  public void s3Fifo_pageReadOnceOnly_leavesBeforeAPageReadTwice() {
    Pages pages = new Pages(new S3Fifo(), 10);
    for (int page = 0; page < 10; page++) {
      pages.fill(page);
    }
    for (int i = 0; i < 2; i++) {
      pages.read(0);
      pages.read(1);
    }
    assertEquals(2, pages.fill(10));
    // It is remembered, and enters the main queue; what entered with it leaves first.
    for (int page = 3; page < 10; page++) {
      assertEquals(page, pages.fill(page + 8));
    }
    assertTrue(pages.read(0) && pages.read(1));
  }
}

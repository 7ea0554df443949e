/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.jetbrains.lincheck.Lincheck;
import org.junit.Test;

/** The order of pages, whatever is read, filled and removed. */
public class TestLazyLru {

  private final LazyLru order = new LazyLru();
  private final Map<Integer, Page> pages = new HashMap<>();

  /** A page by its number. */
  private static final class Page extends LazyLru.Entry {
    private final int number;

    Page(int number) {
      this.number = number;
    }
  }

  /** Reads a page; returns whether it is there. */
  private boolean read(int number) {
    Page page = pages.get(number);
    if (page != null) {
      order.read(page);
    }
    return page != null;
  }

  private void fill(int number) {
    pages.put(number, new Page(number));
    order.add(pages.get(number), true);
  }

  private void fillAtFirstMiss(int number) {
    pages.put(number, new Page(number));
    order.add(pages.get(number), false);
  }

  private void fillOlder(int number) {
    pages.put(number, new Page(number));
    order.addOlder(pages.get(number));
  }

  private void invalidate(int number) {
    order.remove(pages.remove(number));
  }

  private int evict() {
    Page victim = (Page) order.victim();
    invalidate(victim.number);
    return victim.number;
  }

  private List<Integer> lastToLeaveFirst() {
    List<Integer> numbers = new ArrayList<>();
    order.lastToLeaveFirst(page -> numbers.add(((Page) page).number));
    return numbers;
  }

  @Test
  public void victim_empty_isNone() {
    assertNull(order.victim());
  }

  @Test
  public void evict_restoredPages_leaveOldestFirstAndBeforeAllOthers() {
    for (int page = 0; page < 10; page++) {
      fill(page);
      fillOlder(10 + page);
    }
    for (int page = 19; page >= 10; page--) {
      assertEquals(page, evict());
    }
  }

  @Test
  public void evict_manyPagesOfAFirstMiss_takeEachOthersPlace() {
    for (int page = 0; page < 100; page++) {
      fill(page);
    }
    for (int next = 100; next < 1100; next += 30) {
      for (int page = 0; page < 80; page++) {
        assertTrue("page " + page + " when " + next + " comes", read(page));
      }
      // With the 80 that are read, more than there is room for.
      for (int page = next; page < next + 30; page++) {
        evict();
        fillAtFirstMiss(page);
      }
    }
  }

  @Test
  public void evict_pagesThatNobodyReadsAnyMore_leaveForNewOnes() {
    for (int page = 0; page < 100; page++) {
      fill(page);
    }
    for (int page = 0; page < 100; page++) {
      read(page);
    }
    for (int page = 100; page < 1300; page++) {
      evict();
      fillAtFirstMiss(page);
    }
    assertEquals("still there", List.of(), pages.keySet().stream().filter(p -> p < 100).toList());
  }

  @Test
  public void read_pagesInTurnThatFit_allStayInTheEnd() {
    for (int page = 1000; page < 1100; page++) {
      fill(page);
    }
    for (int page = 1000; page < 1100; page++) {
      read(page);
    }
    int misses = 0;
    for (int round = 0; round < 20; round++) {
      misses = 0;
      for (int page = 0; page < 90; page++) {
        if (!read(page)) {
          misses++;
          evict();
          fillAtFirstMiss(page);
        }
      }
    }
    assertEquals("misses of the last round", 0, misses);
  }

  @Test
  public void evict_randomReadsFillsAndInvalidations_everyPageLeavesOnce() {
    long seed = 5;
    Random random = new Random(seed);
    List<Integer> there = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      int page = random.nextInt(100);
      assertEquals("seed " + seed + " step " + i, there.contains(page), read(page));
      if (!there.contains(page)) {
        if (there.size() == 30) {
          assertTrue(there.remove((Integer) evict()));
        }
        fill(page);
        there.add(page);
      } else if (random.nextInt(10) == 0) {
        invalidate(page);
        there.remove((Integer) page);
      }
    }
    List<Integer> left = lastToLeaveFirst();
    Collections.sort(left);
    Collections.sort(there);
    assertEquals(there, left);
  }

  @Test
  public void read_pageAmongTheYoungestQuarter_staysOthersMove() {
    for (int page = 0; page < 16; page++) {
      fill(page);
    }
    assertFalse(order.read(pages.get(14)));
    assertEquals(15, (int) lastToLeaveFirst().get(0));
    assertTrue(order.read(pages.get(3)));
    assertEquals(List.of(3, 15, 14, 13), lastToLeaveFirst().subList(0, 4));
  }

  /** As when pages get another owner, some of them earlier. */
  @Test
  public void addAsOld_inSeveralBatches_oldestLeavesFirst() {
    Random random = new Random(5);
    LazyLru.Clock clock = new LazyLru.Clock();
    LazyLru before = new LazyLru(clock);
    LazyLru now = new LazyLru(clock);
    List<Page> left = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Page page = new Page(i);
      left.add(page);
      if (i % 5 == 0) {
        before.addOlder(page);
      } else {
        before.add(page, random.nextBoolean());
      }
    }
    Collections.shuffle(left, random);
    while (!left.isEmpty()) {
      List<Page> batch = left.subList(0, Math.min(left.size(), 1 + random.nextInt(40)));
      batch.sort(Comparator.comparingLong(clock::age));
      for (Page page : batch) {
        before.remove(page);
        Page moved = new Page(page.number);
        now.addAsOld(moved, page);
        if (random.nextInt(10) == 0) {
          now.read(moved);
        }
      }
      batch.clear();
    }
    long age = Long.MAX_VALUE;
    for (LazyLru.Entry next = now.victim(); next != null; next = now.victim()) {
      assertTrue(clock.age(next) + " after " + age, clock.age(next) <= age);
      age = clock.age(next);
      now.remove(next);
    }
  }

  @Test
  public void read_pageThatHasLeft_changesNothing() {
    fill(1);
    Page left = pages.get(1);
    evict();
    for (int page = 2; page < 9; page++) {
      fill(page);
    }
    assertFalse(order.read(left));
    assertEquals(List.of(8, 7, 6, 5, 4, 3, 2), lastToLeaveFirst());
  }

  @Test
  public void read_oldestPage_isNotTheNextToLeave() {
    long seed = 11;
    Random random = new Random(seed);
    List<Integer> recent = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      int page = random.nextInt(60);
      boolean isHit = read(page);
      if (!isHit) {
        int victim = pages.size() == 40 ? evict() : -1;
        fill(page);
        assertFalse("seed " + seed + " step " + i, recent.contains(victim));
      }
      recent.remove((Integer) page);
      if (isHit) {
        recent.add(page);
      }
      if (recent.size() > 10) {
        recent.remove(0);
      }
    }
  }

  @Test
  public void read_whileAPageLeavesAndOneComes_leavesTheOrderWhole() {
    Lincheck.runConcurrentTest(1000, () -> {
      LazyLru whole = new LazyLru();
      Page[] all = {new Page(0), new Page(1), new Page(2), new Page(3)};
      for (int page = 0; page < 3; page++) {
        whole.add(all[page], true);
      }
      Thread reader = new Thread(() -> {
        whole.read(all[0]);
        whole.read(all[1]);
      });
      reader.start();
      Page victim = (Page) whole.victim();
      whole.remove(victim);
      whole.add(all[3], true);
      try {
        reader.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      int[] times = new int[4];
      whole.lastToLeaveFirst(page -> times[((Page) page).number]++);
      for (Page page : all) {
        if (times[page.number] != (page == victim ? 0 : 1)) {
          throw new IllegalStateException("page " + page.number + ": " + times[page.number]);
        }
      }
    });
  }
}

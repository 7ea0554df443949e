/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.Test;

/** What all policies have in common, and LRU's and S3-FIFO's own. */
public class TestEvictionPolicies {

  private static List<EvictionPolicy> all() {
    return List.of(new Lru(), new LazyLru(), new Sieve(), new S3Fifo());
  }

  @Test
  public void victim_empty_isNone() {
    for (EvictionPolicy policy : all()) {
      assertEquals(Pages.NONE, new Pages(policy, 1).evict());
    }
  }

  @Test
  public void evict_restoredPages_leaveOldestFirstAndBeforeAllOthers() {
    for (EvictionPolicy policy : all()) {
      Pages pages = new Pages(policy, 20);
      for (int page = 0; page < 10; page++) {
        pages.fill(page);
        pages.fillOlder(10 + page);
      }
      List<Integer> left = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        left.add(pages.evict());
      }
      if (policy instanceof S3Fifo) {
        // Its small queue is more than a tenth of all.
        continue;
      }
      assertEquals(policy.toString(), List.of(19, 18, 17, 16, 15, 14, 13, 12, 11, 10), left);
    }
  }

  @Test
  public void evict_randomReadsFillsAndInvalidations_everyPageLeavesOnce() {
    for (EvictionPolicy policy : all()) {
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
      List<Integer> order = pages.lastToLeaveFirst();
      Collections.sort(order);
      Collections.sort(there);
      assertEquals(there, order);
    }
  }

  @Test
  public void lazyLru_pageAmongTheYoungestQuarter_staysOthersMove() {
    Pages pages = new Pages(new LazyLru(), 16);
    for (int page = 0; page < 16; page++) {
      pages.fill(page);
    }
    pages.read(14);
    assertEquals(15, (int) pages.lastToLeaveFirst().get(0));
    pages.read(3);
    assertEquals(List.of(3, 15, 14, 13), pages.lastToLeaveFirst().subList(0, 4));
  }

  @Test
  public void lazyLru_oldestPageThatIsRead_isNotTheNextToLeave() {
    long seed = 11;
    Random random = new Random(seed);
    Pages pages = new Pages(new LazyLru(), 40);
    List<Integer> recent = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      int page = random.nextInt(60);
      if (!pages.read(page)) {
        int victim = pages.fill(page);
        // LRU: never one of the 39 that were read last.
        assertTrue("seed " + seed + " step " + i, !recent.contains(victim));
      }
      recent.remove((Integer) page);
      recent.add(page);
      if (recent.size() > 29) {
        recent.remove(0);
      }
    }
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

  @Test
  public void read_whileOthersEvict_leavesTheOrderWhole() throws Exception {
    for (EvictionPolicy policy : all()) {
      Entry[] entries = new Entry[1000];
      for (int i = 0; i < entries.length; i++) {
        entries[i] = new Entry() { };
        policy.add(entries[i]);
      }
      ExecutorService readers = Executors.newFixedThreadPool(4);
      CountDownLatch begun = new CountDownLatch(4);
      for (int t = 0; t < 4; t++) {
        Random random = new Random(t);
        readers.execute(() -> {
          begun.countDown();
          for (int i = 0; i < 200_000; i++) {
            policy.read(entries[random.nextInt(entries.length)]);
          }
        });
      }
      begun.await();
      for (int i = 0; i < 20_000; i++) {
        Entry victim = policy.victim();
        policy.remove(victim);
        policy.add(victim);
      }
      readers.shutdown();
      assertTrue(readers.awaitTermination(60, TimeUnit.SECONDS));
      List<Entry> left = new ArrayList<>();
      policy.lastToLeaveFirst(left::add);
      assertEquals(entries.length, left.stream().distinct().count());
    }
  }
}

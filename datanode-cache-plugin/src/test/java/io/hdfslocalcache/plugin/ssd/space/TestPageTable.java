/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.hdfslocalcache.plugin.ssd.space.OwnedPages.Page;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** The table of pages against a plain map, with readers at the same time. */
public class TestPageTable {

  private static Page page(String block, long page) {
    return new Page(new StoredPage(block, page, PageOwner.NOBODY, 0, true), null, 0, 0);
  }

  private static final int BLOCKS = 40;
  private static final int PAGES = 128;

  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private final PageTable table = new PageTable();

  @Test
  public void pagesComeAndGoForLong_marksDoNotFillTheTable() {
    for (int i = 0; i < 200_000; i++) {
      assertTrue(table.add(page("block", i)));
      assertEquals(i < 20, table.remove(new PageId("block", i - 20)) == null);
    }
    assertEquals(20, all().size());
  }

  private Set<Page> all() {
    Set<Page> all = new HashSet<>();
    table.forEach(page -> assertTrue("told twice", all.add(page)));
    return all;
  }

  @Test
  public void randomChanges_asAPlainMap_whileReadersLookUp() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    List<Page> staying = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Page page = page("staying" + i % 10, i);
      staying.add(page);
      assertTrue(table.add(page));
    }
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    List<Future<?>> readers = new ArrayList<>();
    for (int reader = 0; reader < 3; reader++) {
      Random random = new Random(seed + 1 + reader);
      readers.add(threads.submit(() -> lookUp(random, staying, over)));
    }
    try {
      change(new Random(seed), staying);
    } finally {
      over.set(true);
    }
    for (Future<?> reader : readers) {
      reader.get(60, TimeUnit.SECONDS);
    }
    threads.shutdown();
  }

  private void lookUp(Random random, List<Page> staying, AtomicBoolean over) {
    while (!over.get()) {
      Page there = staying.get(random.nextInt(staying.size()));
      assertSame("a page that never left", there, table.get(there.id()));
      PageId asked = randomId(random);
      Page found = table.get(asked);
      assertTrue("asked for " + asked + ", got " + found,
          found == null || found.id().equals(asked));
      assertNull("never added", table.get(new PageId("never", random.nextInt(PAGES))));
    }
  }

  private static PageId randomId(Random random) {
    return new PageId("block" + random.nextInt(BLOCKS), random.nextInt(PAGES));
  }

  private void change(Random random, List<Page> staying) {
    Map<PageId, Page> map = new HashMap<>();
    staying.forEach(page -> map.put(page.id(), page));
    for (int round = 0; round < 60; round++) {
      // Sometimes the table grows, sometimes it empties.
      int adding = 2 + random.nextInt(7);
      for (int i = 0; i < 5000; i++) {
        changeOne(random, map, adding);
      }
      assertEquals(new HashSet<>(map.values()), all());
    }
  }

  private void changeOne(Random random, Map<PageId, Page> map, int adding) {
    PageId id = randomId(random);
    Page page = page(id.getFileId(), id.getPageIndex());
    int kind = random.nextInt(10);
    if (kind < adding) {
      assertEquals(map.putIfAbsent(page.id(), page) == null, table.add(page));
    } else if (kind == 9) {
      map.replace(page.id(), page);
      table.replace(page);
    } else {
      assertSame(map.remove(page.id()), table.remove(page.id()));
    }
    assertSame(map.get(page.id()), table.get(page.id()));
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Trace;
import org.junit.Test;

/** The bound, compared with all possible choices, and with LRU. */
public class TestClairvoyant {

  /** Pages of one part, so that pages are cached as a whole. */
  private static final int PART = 128 << 10;

  private static Result bound(PageTrace trace, int capacity) {
    Setting setting = new Setting(Limiter.ADMIT_ALL, trace.pageSize(),
        (long) capacity * trace.fullPageSpace());
    return new Clairvoyant(setting, trace, Disk.DEFAULT)
        .run(DiskLoad.withoutLocalCache(trace, Disk.DEFAULT));
  }

  /** @return the most hits of any choice of what to hold, by trying all. */
  private static int best(int[] pages, int at, Set<Integer> held, int capacity,
      Map<List<Object>, Integer> known) {
    if (at == pages.length) {
      return 0;
    }
    List<Object> state = List.of(at, Set.copyOf(held));
    Integer before = known.get(state);
    if (before != null) {
      return before;
    }
    int page = pages[at];
    int most;
    if (held.contains(page)) {
      most = 1 + best(pages, at + 1, held, capacity, known);
    } else {
      most = best(pages, at + 1, held, capacity, known);
      Set<Integer> with = new HashSet<>(held);
      with.add(page);
      if (with.size() <= capacity) {
        most = Math.max(most, best(pages, at + 1, with, capacity, known));
      } else {
        for (int victim : held) {
          Set<Integer> without = new HashSet<>(with);
          without.remove(victim);
          most = Math.max(most, best(pages, at + 1, without, capacity, known));
        }
      }
    }
    known.put(state, most);
    return most;
  }

  @Test
  public void run_smallTraces_hitsAreTheMostThatAnyChoiceHas() throws Exception {
    long seed = 5;
    Random random = new Random(seed);
    for (int i = 0; i < 100; i++) {
      int[] pages = random.ints(14, 0, 6).toArray();
      for (int capacity = 1; capacity <= 4; capacity++) {
        Result result = bound(PageTrace.of(Traces.ofPages(pages), Traces.PAGE), capacity);
        assertEquals("seed " + seed + " trace " + i,
            best(pages, 0, Set.of(), capacity, new HashMap<>()), result.hits());
        assertTrue(result.mostPages() <= capacity);
        assertTrue(result.fills() <= result.hits());
      }
    }
  }

  @Test
  public void run_pageThatIsReadOnceMore_isFilledOnceAndOnlyIfReadFromTheSsd() throws Exception {
    // 2 is never read again: it is not filled. 1 is there for its second and third read.
    Result result = bound(PageTrace.of(Traces.ofPages(1, 2, 1, 1), Traces.PAGE), 1);
    assertEquals(2, result.hits());
    assertEquals(1, result.fills());
    assertEquals(2, result.load().visits());
    assertEquals(0, result.missesNotAdmitted());
  }

  @Test
  public void run_generatedTrace_isNoWorseThanLru() throws Exception {
    Trace generated = Traces.generated(Kind.CHURN);
    PageTrace trace = PageTrace.of(generated, PART);
    for (int divisor : new int[] {2, 20, 200}) {
      Setting setting = new Setting(Limiter.ADMIT_ALL, PART,
          (long) trace.pages() / divisor * trace.fullPageSpace());
      DiskLoad without = DiskLoad.withoutLocalCache(trace, Disk.DEFAULT);
      Result lru = new DemandFilled(setting, trace,
          Disk.DEFAULT).run(without);
      Result bound = new Clairvoyant(setting, trace, Disk.DEFAULT).run(without);
      assertTrue(bound.pageHitRate() > lru.pageHitRate());
      assertTrue(bound.bytesWritten() < lru.bytesWritten());
    }
  }
}

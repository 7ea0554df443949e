/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;

import io.hdfslocalcache.replay.generate.Kind;
import org.junit.Test;

/** LRU against java.util.LinkedHashMap, page by page. */
public class TestLru {

  /** The same policy, by a class of somebody else. */
  private static final class Reference extends LinkedHashMap<Integer, Boolean> {
    private static final long serialVersionUID = 1L;
    private final int capacity;
    private int evicted = PageCache.NONE;

    Reference(int capacity) {
      super(16, 0.75f, true);
      this.capacity = capacity;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
      evicted = size() > capacity ? eldest.getKey() : PageCache.NONE;
      return evicted != PageCache.NONE;
    }
  }

  private static void assertSame(PageTrace trace, int capacity) {
    PageCache lru = Eviction.EXACT_LRU.create(trace.pages(), capacity);
    Reference reference = new Reference(capacity);
    int hits = 0;
    for (int place = 0; place < trace.accesses(); place++) {
      int page = trace.page(place);
      boolean hit = reference.get(page) != null;
      assertEquals("place " + place, hit, lru.read(page));
      hits += hit ? 1 : 0;
      if (!hit) {
        reference.put(page, true);
        assertEquals("place " + place, reference.evicted, lru.fill(page));
      }
      assertEquals(reference.size(), lru.size());
    }
    assertTrue(hits > 0);
  }

  @Test
  public void read_generatedTraces_hitsAndVictimsAreThoseOfLinkedHashMap() throws Exception {
    for (Kind kind : Kind.values()) {
      PageTrace trace = PageTrace.of(Traces.generated(kind), 1 << 20);
      for (int divisor : new int[] {1, 3, 10, 100}) {
        assertSame(trace, trace.pages() / divisor);
      }
      assertSame(trace, 1);
    }
  }

  @Test
  public void run_admitAll_hitsAreThoseOfLinkedHashMap() throws Exception {
    PageTrace trace = PageTrace.of(Traces.generated(Kind.CHURN), 1 << 20);
    int capacity = trace.pages() / 20;
    Setting setting = new Setting(Limiter.ADMIT_ALL, Eviction.EXACT_LRU, 1 << 20,
        (long) capacity * trace.pageFileBytes());
    Result result = new Simulation(setting, trace, Admission.of(Limiter.ADMIT_ALL, trace).gate())
        .run(Disk.DEFAULT, n -> { });
    Reference reference = new Reference(capacity);
    long wholeHits = 0;
    long evictions = 0;
    for (int read = 0; read < trace.reads(); read++) {
      boolean all = true;
      for (int place = trace.first(read); place < trace.first(read + 1); place++) {
        if (reference.get(trace.page(place)) == null) {
          all = false;
          reference.put(trace.page(place), true);
          evictions += reference.evicted == PageCache.NONE ? 0 : 1;
        }
      }
      wholeHits += all ? 1 : 0;
    }
    assertEquals(wholeHits, result.hits());
    assertEquals(evictions, result.evictions());
    assertTrue(evictions > 0);
  }
}

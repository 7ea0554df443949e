/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import org.junit.Test;

/** LRU of pages with parts against java.util.LinkedHashMap, read by read. */
public class TestLru {

  /** No seek, and no time for bytes: what is read is on the SSD before the next read. */
  private static final Disk INSTANT = new Disk(0, Double.POSITIVE_INFINITY, 1);

  /** The same policy, by a class of somebody else. */
  private static final class Reference {
    /** The pages, the one first that was not read for the longest time. */
    private final Map<Integer, Boolean> order = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Integer, Integer> parts = new HashMap<>();
    private final PageTrace trace;
    private final long capacity;
    private long used;
    private long evictions;

    Reference(PageTrace trace, long capacity) {
      this.trace = trace;
      this.capacity = capacity;
    }

    int read(int page, int wanted) {
      int found = parts.getOrDefault(page, 0) & wanted;
      if (found != 0) {
        order.get(page);
      }
      return found;
    }

    void add(int page, int missing) {
      used += trace.space(page, missing);
      order.put(page, true);
      parts.merge(page, missing, (one, other) -> one | other);
      Iterator<Integer> eldest = order.keySet().iterator();
      while (used > capacity) {
        int victim = eldest.next();
        eldest.remove();
        used -= trace.space(victim, parts.remove(victim));
        evictions++;
      }
    }
  }

  private static void assertSame(Kind kind, int divisor) throws Exception {
    PageTrace trace = PageTrace.of(Traces.generated(kind), 1 << 20);
    long capacity = (long) Math.max(1, trace.pages() / divisor) * trace.fullPageSpace();
    Setting setting = new Setting(Limiter.ADMIT_ALL, Eviction.EXACT_LRU, 1 << 20, capacity);
    Result result = new DemandFilled(setting, trace, INSTANT)
        .run(DiskLoad.withoutLocalCache(trace, INSTANT), n -> { });
    Reference reference = new Reference(trace, capacity);
    long hits = 0;
    long hitBytes = 0;
    for (int read = 0; read < trace.reads(); read++) {
      Map<Integer, Integer> missing = new LinkedHashMap<>();
      for (int place = trace.first(read); place < trace.first(read + 1); place++) {
        int page = trace.page(place);
        int wanted = trace.layout().partsOf(trace.from(read, place), trace.to(read, place));
        int found = reference.read(page, wanted);
        hitBytes += trace.layout().common(found, trace.from(read, place), trace.to(read, place));
        if (found != wanted) {
          missing.put(page, wanted & ~found);
        }
      }
      missing.forEach(reference::add);
      hits += missing.isEmpty() ? 1 : 0;
    }
    String what = kind + " " + divisor;
    assertTrue(what, hits > 0);
    assertEquals(what, hits, result.hits());
    assertEquals(what, (double) hitBytes / result.bytes(), result.offload(), 1e-9);
    assertEquals(what, reference.evictions, result.evictions());
  }

  @Test
  public void run_generatedTraces_hitsAndEvictionsAreThoseOfLinkedHashMap() throws Exception {
    for (Kind kind : Kind.values()) {
      for (int divisor : new int[] {1, 10, 100, 1000}) {
        assertSame(kind, divisor);
      }
    }
  }
}

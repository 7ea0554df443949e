/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.oracle;

import static org.junit.Assert.assertEquals;

import java.util.EnumMap;
import java.util.Map;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/** What a DataNode has counted, over its restarts. */
final class Totals {

  private final Map<ReadOutcome, Long> reads = new EnumMap<>(ReadOutcome.class);
  private long evictions;
  private long invalidations;

  /** Adds what it has counted since its start, for it is about to forget that. */
  void add(LocalCacheMetrics metrics) {
    assertEquals("errors", 0, metrics.errors());
    for (ReadOutcome outcome : ReadOutcome.values()) {
      reads.merge(outcome, metrics.reads(outcome), Long::sum);
    }
    evictions += metrics.total(Event.EVICTIONS);
    invalidations += metrics.total(Event.INVALIDATED_PAGES);
  }

  long hits() {
    return reads.getOrDefault(ReadOutcome.HIT, 0L);
  }

  @Override
  public String toString() {
    return "reads " + reads + ", evictions " + evictions + ", invalidated pages " + invalidations;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import java.util.TreeMap;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import org.junit.Test;

/** The two hit rates, and what they are made of. */
public class TestCounters {

  private static final double EXACT = 1e-9;

  private static Counters counters(long hits, long partial, long admitted, long notAdmitted,
      long off, long ssd, long disk, long bypassed) {
    Map<String, Long> values = new TreeMap<>();
    for (ReadOutcome outcome : ReadOutcome.values()) {
      values.put(outcome.metric(), 0L);
    }
    values.put(ReadOutcome.HIT.metric(), hits);
    values.put(ReadOutcome.PARTIAL_HIT.metric(), partial);
    values.put(ReadOutcome.MISS_ADMITTED.metric(), admitted);
    values.put(ReadOutcome.MISS_NOT_ADMITTED.metric(), notAdmitted);
    values.put(ReadOutcome.BYPASS_OFF.metric(), off);
    values.put(Event.BYTES_HIT.metric(), ssd);
    values.put(Event.BYTES_MISS.metric(), disk);
    values.put(Event.BYTES_BYPASS.metric(), bypassed);
    values.put("ErrorsPageReadIo", 2L);
    values.put("ErrorsAdmission", 3L);
    values.put("On", 1L);
    return new Counters(values);
  }

  @Test
  public void rates_areOfDifferentWholes() {
    Counters counters = counters(90, 4, 6, 1000, 500, 300, 500, 200);
    assertEquals("of reads of admitted blocks", 0.9, counters.reuseRate().getAsDouble(), EXACT);
    assertEquals("of all bytes", 0.3, counters.offload().getAsDouble(), EXACT);
    assertEquals(1600, counters.reads());
    assertEquals(500, counters.bypasses());
    assertEquals(300, counters.bytesFromSsd());
    assertEquals(700, counters.bytesFromDisk());
  }

  @Test
  public void rates_nothingRead_areEmpty() {
    Counters counters = counters(0, 0, 0, 7, 0, 0, 0, 0);
    assertTrue(counters.reuseRate().isEmpty());
    assertTrue(counters.offload().isEmpty());
  }

  @Test
  public void since_isDifference() {
    Counters earlier = counters(1, 1, 1, 1, 1, 10, 10, 10);
    Counters later = counters(5, 1, 1, 1, 1, 30, 10, 10);
    assertEquals(4, later.since(earlier).of(ReadOutcome.HIT));
    assertEquals(20, later.since(earlier).bytesFromSsd());
    assertEquals(0, later.since(earlier).bytesFromDisk());
  }

  @Test
  public void errors_areAllThatAreCalledSo() {
    assertEquals(5, counters(0, 0, 0, 0, 0, 0, 0, 0).errors());
  }

  @Test
  public void missingMetric_isError() {
    assertThrows(IllegalStateException.class, () -> new Counters(Map.of()).bytesFromSsd());
  }
}

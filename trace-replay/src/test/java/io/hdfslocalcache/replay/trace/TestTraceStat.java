/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import static io.hdfslocalcache.replay.trace.StatTrace.HOUR;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.replay.trace.Trace.Access;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.Trace.Span;
import io.hdfslocalcache.replay.trace.Trace.TraceBuilder;
import org.junit.Test;

/** The numbers of small traces, counted by hand. */
public class TestTraceStat {

  private static final double NEAR = 1e-9;

  private final TraceBuilder builder = new TraceBuilder();

  private void read(long time, long block, long generation, long offset, long length) {
    add(Op.READ, time, block, generation, offset, length);
  }

  private void add(Op op, long time, long block, long generation, long offset, long length) {
    builder.add(op, time, builder.replica(new Replica("BP-1", block, generation)), offset, length,
        builder.reader("r" + block));
  }

  @Test
  public void of_smallTrace_countsBlocksWhateverTheirGeneration() throws Exception {
    read(0, 1, 1, 0, 100);
    read(1, 1, 2, 500, 500);
    read(2, 2, 1, 0, 2000);
    add(Op.WRITE, 3, 3, 1, 0, 700);
    add(Op.SHORT_CIRCUIT, 4, 4, 0, 0, 0);
    TraceStat stat = TraceStat.of(builder.build(), 1);
    assertEquals(3, stat.reads());
    assertEquals(1, stat.writes());
    assertEquals(1, stat.shortCircuit());
    assertEquals(3, stat.blocks());
    assertEquals(2, stat.blocksRead());
    assertEquals(0.5, stat.blocksReadOnce(), NEAR);
    assertEquals(1500, stat.averageBlockBytes(), NEAR);
    assertEquals(2600, stat.readBytes());
    assertEquals(2 / 3.0, stat.top().reads(), NEAR);
  }

  private static List<Long> times(Trace trace) {
    return trace.accesses().stream().map(Access::timeMillis).toList();
  }

  @Test
  public void withoutPauses_leavesOutHoursThatNoFileCovers_andNothingElse() {
    read(0, 1, 1, 0, 100);
    read(HOUR, 1, 1, 0, 100);
    add(Op.WRITE, 3 * HOUR, 3, 1, 0, 700);
    read(3 * HOUR + 5, 2, 1, 0, 2000);
    read(50 * HOUR + 5, 2, 1, 0, 2000);
    List<String> told = new ArrayList<>();
    Trace closed = builder.build().withoutPauses(List.of(new Span(0, HOUR),
        new Span(3 * HOUR, 3 * HOUR + 5), new Span(50 * HOUR + 5, 50 * HOUR + 5)), told::add);
    assertEquals(List.of(0L, HOUR, HOUR + 60_000, HOUR + 60_005, HOUR + 120_005), times(closed));
    assertEquals(List.of(
        "Nothing was traced for 2.0 hours from 1970-01-01T01:00:00Z: this time is left out.",
        "Nothing was traced for 47.0 hours from 1970-01-01T03:00:00.005Z: this time is left out."),
        told);
    assertEquals(2000, closed.accesses().get(4).length());
  }

  @Test
  public void withoutPauses_hoursWithoutAccessInAFile_stay() {
    read(0, 1, 1, 0, 100);
    read(10 * HOUR, 1, 1, 0, 100);
    read(30 * HOUR, 1, 1, 0, 100);
    List<String> told = new ArrayList<>();
    Trace closed = builder.build().withoutPauses(
        List.of(new Span(0, 10 * HOUR), new Span(30 * HOUR, 30 * HOUR)), told::add);
    assertEquals(List.of(0L, 10 * HOUR, 10 * HOUR + 60_000), times(closed));
    assertEquals(told.toString(), 1, told.size());
  }

  @Test
  public void of_writesOnly_fails() {
    add(Op.WRITE, 0, 1, 1, 0, 1);
    assertThrows(TraceException.class, () -> {
      Trace trace = builder.build();
      TraceStat.of(trace, 1);
    });
  }
}

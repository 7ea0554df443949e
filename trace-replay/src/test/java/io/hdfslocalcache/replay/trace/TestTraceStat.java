/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.replay.trace.Trace.Access;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Replica;
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

  @Test
  public void withoutPauses_leavesOutHoursWithoutAccess_andNothingElse() {
    long hour = 3_600_000;
    read(0, 1, 1, 0, 100);
    read(hour, 1, 1, 0, 100);
    add(Op.WRITE, 3 * hour, 3, 1, 0, 700);
    read(3 * hour + 5, 2, 1, 0, 2000);
    read(50 * hour + 5, 2, 1, 0, 2000);
    List<String> told = new ArrayList<>();
    Trace closed = builder.build().withoutPauses(told::add);
    assertEquals(List.of(0L, hour, hour + 60_000, hour + 60_005, hour + 120_005),
        closed.accesses().stream().map(Access::timeMillis).toList());
    assertEquals(List.of(
        "Nothing was traced for 2.0 hours from 1970-01-01T01:00:00Z: this time is left out.",
        "Nothing was traced for 47.0 hours from 1970-01-01T03:00:00.005Z: this time is left out."),
        told);
    assertEquals(2000, closed.accesses().get(4).length());
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

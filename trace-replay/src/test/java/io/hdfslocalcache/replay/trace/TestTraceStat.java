/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

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
  public void of_writesOnly_fails() {
    add(Op.WRITE, 0, 1, 1, 0, 1);
    assertThrows(TraceException.class, () -> {
      Trace trace = builder.build();
      TraceStat.of(trace, 1);
    });
  }
}

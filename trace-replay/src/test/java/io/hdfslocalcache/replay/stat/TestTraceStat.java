/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.Map;
import java.util.Random;

import io.hdfslocalcache.replay.stat.TraceStat.ReadSizes;
import io.hdfslocalcache.replay.trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceBuilder;
import io.hdfslocalcache.replay.trace.TraceException;
import org.junit.Test;

/** The numbers of small traces, counted by hand. */
public class TestTraceStat {

  private static final double NEAR = 1e-9;
  private static final long HOUR = 3_600_000;

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
    assertEquals(2000 / 2600.0, stat.top().bytes(), NEAR);
  }

  @Test
  public void of_twoHours_topBlocksAreThoseOfEachHour() throws Exception {
    for (int i = 0; i < 9; i++) {
      read(i, 1, 1, 0, 1);
      read(HOUR + i, 2, 1, 0, 1);
    }
    read(10, 3, 1, 0, 1);
    read(HOUR + 10, 3, 1, 0, 1);
    // Begins a third hour, which is not full and left out.
    read(2 * HOUR, 4, 1, 0, 1);
    TopShare top = TraceStat.of(builder.build(), 1).top();
    assertEquals(2, top.hours());
    assertEquals(0.9, top.reads(), NEAR);
    assertEquals(0.9, top.leastReads(), NEAR);
    assertEquals(0.9, top.mostReads(), NEAR);
  }

  @Test
  public void of_sizes_percentilesAndSharesBelow() throws Exception {
    for (int i = 1; i <= 100; i++) {
      read(i, 1, 1, 0, i <= 60 ? 1023 : 1 << 20);
    }
    ReadSizes sizes = TraceStat.of(builder.build(), 1).sizes();
    assertEquals(1023, (long) sizes.percentiles().get("p50"));
    assertEquals(1 << 20, (long) sizes.percentiles().get("p75"));
    assertEquals(Map.of("1k", 0.6, "10k", 0.6, "100k", 0.6, "1m", 0.6, "10m", 1.0, "100m", 1.0),
        sizes.below());
  }

  @Test
  public void of_zipfDraws_exponentIsFound() throws Exception {
    long seed = 7;
    Random random = new Random(seed);
    double exponent = 1.2;
    double[] cumulated = new double[500];
    double sum = 0;
    for (int i = 0; i < cumulated.length; i++) {
      sum += Math.pow(i + 1, -exponent);
      cumulated[i] = sum;
    }
    for (int i = 0; i < 200_000; i++) {
      int at = java.util.Arrays.binarySearch(cumulated, random.nextDouble() * sum);
      read(i, at < 0 ? -at - 1 : at, 1, 0, 1);
    }
    assertEquals("seed " + seed, exponent, TraceStat.of(builder.build(), 1).zipfExponent(), 0.02);
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

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.TraceException;
import org.junit.Test;

/** Small traces of block groups played by hand. */
public class TestStripedSimulation {

  private static final double NEAR = 1e-9;
  private static final int CELL = Traces.PAGE;
  private static final int STRIPE = 2 * CELL;
  private static final Striping STRIPING = new Striping(2, 1, CELL);
  private static final Disk DISK = new Disk(10, 1e6, 1);
  private static final Setting SETTING =
      new Setting(Limiter.ADMIT_ALL, Eviction.LRU, Traces.PAGE, 1 << 20);

  private static StripedResult run(Trace trace, boolean wholeStripes) throws Exception {
    return new StripedSimulation(trace, STRIPING, wholeStripes, DISK).run(SETTING, n -> { });
  }

  /** Group 1 begins on the first of three DataNodes, group 2 on the second. */
  private static Trace trace() throws Exception {
    return new Traces().size(1, STRIPE).size(2, STRIPE)
        .read(0, 1, 1, 0, STRIPE)
        .read(1000, 1, 1, 0, STRIPE)
        .read(2000, 2, 1, 0, CELL)
        .read(3000, 2, 1, 0, STRIPE)
        .read(4000, 2, 1, CELL, 10)
        .build();
  }

  @Test
  public void run_readsOfOneAndOfAllDataNodes_countsByHand() throws Exception {
    StripedResult result = run(trace(), false);
    assertEquals(2 / 5.0, result.fromSsds(), NEAR);
    assertEquals((STRIPE + CELL + 10) / (3.0 * STRIPE + CELL + 10), result.offload(), NEAR);
    assertEquals(new StripedResult.Width(1, 2, 1 / 2.0, 1 / 2.0), result.widths().get(0));
    assertEquals(new StripedResult.Width(2, 3, 3 / 6.0, 1 / 3.0), result.full());
    assertEquals(1 / 4.0, result.full().ifIndependent(), NEAR);
  }

  @Test
  public void run_wholeStripes_readsGoOnToTheEndOfTheirStripe() throws Exception {
    StripedResult result = run(trace(), true);
    assertEquals(new StripedResult.Width(1, 1, 1, 1), result.widths().get(0));
    assertEquals(new StripedResult.Width(2, 4, 1 / 2.0, 1 / 2.0), result.full());
  }

  @Test
  public void run_generatedTrace_readsAndBytesAreThoseOfTheTrace() throws Exception {
    Trace trace = Traces.generated(Kind.CHURN);
    StripedSimulation simulation =
        new StripedSimulation(trace, Striping.ofPolicy("RS-6-3-1024k"), false, Disk.DEFAULT);
    StripedResult result = simulation.run(
        new Setting(Limiter.ADMIT_ALL, Eviction.LRU, 1 << 20, 1L << 40), n -> { });
    assertEquals(trace.accesses().stream().filter(each -> each.isRead()).count(),
        result.widths().stream().mapToLong(StripedResult.Width::reads).sum());
    assertEquals(simulation.size(), result.widths().stream()
        .mapToLong(width -> width.reads() * width.dataNodes()).sum());
  }

  @Test
  public void blocksOnSomeDataNodesOnly_isAnError() throws Exception {
    Trace one = new Traces().read(0, 1, 1, 0, STRIPE).build();
    assertThrows(TraceException.class,
        () -> new StripedSimulation(one, STRIPING, false, DISK));
  }

  @Test
  public void before_isTheNumberOfBytesOnTheDataNode() {
    Striping striping = new Striping(3, 2, 5);
    int[] before = new int[3];
    for (int offset = 0; offset < 70; offset++) {
      for (int index = 0; index < 3; index++) {
        assertEquals(before[index], striping.before(index, offset));
      }
      before[offset / 5 % 3]++;
    }
    assertEquals(15, striping.endOfStripe(1));
    assertEquals(15, striping.endOfStripe(15));
    assertEquals(30, striping.endOfStripe(16));
  }

  @Test
  public void ofPolicy_namesOfHdfs_othersAreRefused() {
    assertEquals(new Striping(6, 3, 1 << 20), Striping.ofPolicy("RS-6-3-1024k"));
    assertEquals(new Striping(6, 3, 1 << 20), Striping.ofPolicy("RS-LEGACY-6-3-1024k"));
    assertEquals(new Striping(2, 1, 64 << 10), Striping.ofPolicy("XOR-2-1-64k"));
    assertThrows(IllegalArgumentException.class, () -> Striping.ofPolicy("6+3"));
  }
}

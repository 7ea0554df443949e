/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.stream.IntStream;

import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import org.junit.Test;

/** The best that a write budget allows: better than any limiter, and within the budget. */
public class TestEqualWrites {

  private static Result run(Simulation simulation, PageTrace trace) {
    return simulation.run(DiskLoad.withoutLocalCache(trace, Disk.DEFAULT));
  }

  private static Result possible(PageTrace trace, int pages) {
    Setting setting = new Setting(
        Limiter.writeBudget(0), trace.pageSize(), (long) pages * trace.fullPageSpace());
    return run(new EqualWrites(setting, trace, Disk.DEFAULT), trace);
  }

  @Test
  public void run_oneWriteForTwoPages_isThatOfThePageReadMore() throws Exception {
    PageTrace trace = PageTrace.of(Traces.ofPages(1, 2, 1, 2, 1, 1), Traces.PAGE);
    Result result = possible(trace, 1);
    assertEquals(3, result.hits());
    assertEquals(trace.fullPageSpace(), result.bytesWritten());
  }

  @Test
  public void run_roomForAll_everyReadButTheFirstIsAHit() throws Exception {
    PageTrace trace = PageTrace.of(Traces.ofPages(1, 2, 3, 3, 2, 1, 4), Traces.PAGE);
    Result result = possible(trace, 4);
    assertEquals(3, result.hits());
    assertEquals("what is read once is not written", 3L * trace.fullPageSpace(),
        result.bytesWritten());
  }

  @Test
  public void run_spaceForOne_isNotHeldForALongTime() throws Exception {
    // To hold page 1 from its first read to its last takes the space of all others.
    PageTrace trace = PageTrace.of(Traces.ofPages(1, 2, 2, 3, 3, 4, 4, 1), Traces.PAGE);
    assertEquals(3, run(new EqualWrites(new Setting(Limiter.writeBudget(1L << 50),
        trace.pageSize(), trace.fullPageSpace() / 2), trace, Disk.DEFAULT), trace).hits());
  }

  @Test
  public void run_roomForSomeOfManyThatAreWorthTheSame_isFilled() throws Exception {
    int pages = 400;
    int[] twice = IntStream.range(0, 2 * pages).map(i -> i % pages).toArray();
    PageTrace trace = PageTrace.of(Traces.ofPages(twice), Traces.PAGE);
    // Each is held for half of the time: there is room for half of them.
    Setting setting = new Setting(Limiter.writeBudget(1L << 50), trace.pageSize(),
        (long) pages / 4 * trace.fullPageSpace());
    double hits = run(new EqualWrites(setting, trace, Disk.DEFAULT), trace).hits();
    assertEquals(pages / 2.0, hits, pages / 10.0);
  }

  @Test
  public void run_generated_isMoreThanTheWriteBudgetHas_withNoMoreWrites() throws Exception {
    PageTrace trace = PageTrace.of(Traces.generated(Kind.CHURN), 1 << 20);
    long capacity = 500L << 20;
    double before = 0;
    for (double budget : new double[] {0.25, 1, 4}) {
      long perDay = (long) (budget * capacity);
      Setting setting = new Setting(Limiter.writeBudget(perDay), trace.pageSize(), capacity);
      Result possible = run(new EqualWrites(setting, trace, Disk.DEFAULT), trace);
      Result real = run(new DemandFilled(setting, trace, Disk.DEFAULT), trace);
      String what = possible.offload() + " and " + real.offload() + " with " + budget;
      assertTrue(what, possible.offload() > real.offload());
      assertTrue(what, possible.offload() >= before);
      double mayWrite = capacity + perDay * trace.spanMillis() / 86_400_000.0;
      assertTrue(what, possible.bytesWritten() < 1.05 * mayWrite);
      before = possible.offload();
    }
  }
}

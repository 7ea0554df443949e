/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Map;

import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.replay.generate.Kind;
import io.hdfslocalcache.replay.trace.Trace;
import org.junit.Test;

/** Small traces played by hand. */
public class TestSimulation {

  private static final double NEAR = 1e-9;
  private static final int PAGE = Traces.PAGE;
  /** Data, checksums and trailer of a page of 4 KiB, in whole blocks of a file system. */
  private static final int FILE = 2 * 4096;
  private static final long MINUTE = 60_000;

  private static Result run(Trace trace, Limiter limiter, int capacity) throws Exception {
    PageTrace pages = PageTrace.of(trace, PAGE);
    assertEquals(FILE, pages.pageFileBytes());
    return new Simulation(new Setting(limiter, Eviction.LRU, PAGE, (long) capacity * FILE), pages,
        Admission.of(limiter, pages).gate()).run(new Disk(10, 1e6), n -> { });
  }

  @Test
  public void run_admitAll_countsByHand() throws Exception {
    Trace trace = new Traces().size(1, 10 * PAGE)
        .read(0, 1, 1, 0, 100)
        .read(1, 1, 1, 50, PAGE)
        .read(2, 1, 1, 0, 2 * PAGE)
        .read(3, 1, 1, 5 * PAGE, 10)
        .build();
    Result result = run(trace, Limiter.ADMIT_ALL, 10);
    assertEquals(1, result.hits());
    assertEquals(1, result.partialHits());
    assertEquals(2, result.missesAdmitted());
    assertEquals(0, result.missesNotAdmitted());
    assertEquals(100 + PAGE + 2 * PAGE + 10, result.bytes());
    assertEquals((PAGE - 50 + 2 * PAGE) / (double) result.bytes(), result.offload(), NEAR);
    assertEquals(0.25, result.requestHitRate(), NEAR);
    assertEquals(3 / 6.0, result.pageHitRate(), NEAR);
    assertEquals(0.25, result.reuseRate(), NEAR);
    assertEquals(3, result.fills());
    assertEquals(3 * FILE, result.bytesWritten());
    assertEquals(3, result.diskReads());
    assertEquals(1, result.diskReadsSaved());
    // Three pages are read as wholes, by reads and fills together.
    assertEquals(3 * 0.010 + 3 * PAGE / 1e6, result.diskSeconds(), NEAR);
    assertEquals(4 * 0.010 + result.bytes() / 1e6 - result.diskSeconds(),
        result.diskSecondsSaved(), NEAR);
    assertEquals(3, result.mostPages());
  }

  @Test
  public void run_lastPageOfABlock_costsWhatItHas() throws Exception {
    Result result = run(new Traces().size(1, PAGE + 10).read(0, 1, 1, PAGE, 10).build(),
        Limiter.ADMIT_ALL, 10);
    assertEquals(4096, result.bytesWritten());
    assertEquals(0.010 + 10 / 1e6, result.diskSeconds(), NEAR);
  }

  @Test
  public void run_newGeneration_hitsNoPageOfTheOld() throws Exception {
    Result result = run(new Traces().read(0, 1, 1, 0, PAGE).read(1, 1, 2, 0, PAGE)
        .read(2, 1, 2, 0, PAGE).build(), Limiter.ADMIT_ALL, 10);
    assertEquals(1, result.hits());
    assertEquals(2, result.fills());
  }

  @Test
  public void run_bucketTime_admitsByTheTraceTime() throws Exception {
    Traces traces = new Traces();
    for (int i = 0; i < 3; i++) {
      traces.read(i * MINUTE, 1, 1, 0, PAGE);
      traces.read(i * 20 * MINUTE, 2, 1, 0, PAGE);
    }
    traces.read(2 * MINUTE + 1, 1, 1, 0, PAGE);
    Result result = run(traces.build(), Limiter.bucketTime(2, "10m"), 10);
    // The third read of block 1 is the one that admits it; block 2 is read too seldom.
    assertEquals(1, result.fills());
    assertEquals(1, result.missesAdmitted());
    assertEquals(5, result.missesNotAdmitted());
    assertEquals(1, result.hits());
  }

  @Test
  public void run_evictions_toldApartByWhetherTheyWereRead() throws Exception {
    Result result = run(Traces.ofPages(1, 1, 2, 3, 4), Limiter.ADMIT_ALL, 2);
    assertEquals(2, result.evictions());
    assertEquals(1, result.evictionsWithoutRead());
  }

  @Test
  public void isIndependent_classesThatLeaveTheDefaultsAlone_are() {
    assertTrue(Admission.isIndependent(Limiter.ADMIT_ALL));
    assertTrue(Admission.isIndependent(Limiter.bucketTime(3, "10m")));
    assertFalse(Admission.isIndependent(Limiter.writeBudget(1 << 30)));
    assertFalse(Admission.isIndependent(new Limiter("second-touch", Map.of())));
  }

  @Test
  public void run_secondTouch_fillsAPageWhenItIsMissedAgain() throws Exception {
    Trace trace = new Traces().size(1, 2 * PAGE).read(0, 1, 1, 0, 2 * PAGE).read(1, 1, 1, 0, PAGE)
        .read(2, 1, 1, 0, 2 * PAGE).build();
    Result result = new Sweep(trace, Disk.DEFAULT, 1, n -> { }).run(List.of(new Setting(
        new Limiter("second-touch", Map.of()), Eviction.LRU, PAGE, 1 << 20))).get(0);
    assertEquals(2, result.fills());
    assertEquals(1, result.partialHits());
    assertEquals(PAGE / (5.0 * PAGE), result.offload(), NEAR);
  }

  @Test
  public void run_writeBudget_writesNoMoreThanCapacityAndBudget() throws Exception {
    Trace trace = Traces.generated(Kind.CHURN);
    long capacity = 2L << 30;
    long budget = 4L << 30;
    Result result = new Sweep(trace, Disk.DEFAULT, 1, n -> { }).run(List.of(new Setting(
        Limiter.writeBudget(budget), Eviction.LRU, 1 << 20, capacity))).get(0);
    double allowed = capacity + budget * 20.0 / 24;
    assertTrue(result.bytesWritten() + " of " + allowed, result.bytesWritten() <= 1.01 * allowed);
    assertTrue(result.bytesWritten() + " of " + allowed, result.bytesWritten() > 0.5 * allowed);
  }

  @Test
  public void run_bucketTime_heapIsThatOfPagesAndLimiter() throws Exception {
    Result result = run(Traces.ofPages(1, 2), Limiter.bucketTime(0, "10m"), 10);
    assertTrue(result.heapBytes() > 2 * Result.HEAP_PER_PAGE);
  }

  @Test
  public void run_sweep_isTheSameOneByOne() throws Exception {
    Trace trace = Traces.generated(Kind.CHURN);
    List<Setting> settings = List.of(
        new Setting(Limiter.bucketTime(3, "10m"), Eviction.LRU, 1 << 20, 1L << 30),
        new Setting(Limiter.bucketTime(3, "10m"), Eviction.SIEVE, 256 << 10, 1L << 30),
        new Setting(Limiter.ADMIT_ALL, Eviction.LRU, 1 << 20, 8L << 30));
    List<Result> together = new Sweep(trace, Disk.DEFAULT, 3, n -> { }).run(settings);
    for (int i = 0; i < settings.size(); i++) {
      Result alone = new Sweep(trace, Disk.DEFAULT, 1, n -> { })
          .run(List.of(settings.get(i))).get(0);
      assertEquals(alone.hits(), together.get(i).hits());
      assertEquals(alone.bytesWritten(), together.get(i).bytesWritten());
      assertEquals(alone.name(), together.get(i).name());
    }
  }

  @Test
  public void checked_wrongKey_namesIt() {
    Limiter limiter = new Limiter(BucketTimeRateLimit.class.getName(),
        Map.of(BucketTimeRateLimit.THRESHOLD_KEY, "-1"));
    assertTrue(assertThrows(IllegalArgumentException.class, limiter::checked).getMessage()
        .contains(BucketTimeRateLimit.THRESHOLD_KEY));
  }
}

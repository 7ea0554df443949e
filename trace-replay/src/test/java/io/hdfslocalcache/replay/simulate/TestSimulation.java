/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.ratelimit.AdmitAll;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Trace;
import org.junit.Test;

/** Small traces played by hand. */
public class TestSimulation {

  private static final double NEAR = 1e-9;
  private static final int PAGE = Traces.PAGE;
  private static final int PART = 128 << 10;
  /** Data, checksums and trailer of a page of 4 KiB, in whole blocks of a file system. */
  private static final int FILE = 2 * 4096;
  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final Disk DISK = new Disk(10, 1e6, 1);

  private static Result run(Trace trace, Limiter limiter, int capacity) throws Exception {
    PageTrace pages = PageTrace.of(trace, PAGE);
    assertEquals(FILE, pages.fullPageSpace());
    Setting setting = new Setting(limiter, PAGE, (long) capacity * FILE);
    return new DemandFilled(setting, pages, DISK)
        .run(DiskLoad.withoutLocalCache(pages, DISK));
  }

  @Test
  public void run_admitAll_countsByHand() throws Exception {
    Trace trace = new Traces().size(1, 10 * PAGE)
        .read(0, 1, 1, 0, 100)
        .read(SECOND, 1, 1, 50, PAGE)
        .read(2 * SECOND, 1, 1, 0, 2 * PAGE)
        .read(3 * SECOND, 1, 1, 5 * PAGE, 10)
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
    assertEquals(3, result.load().visits());
    assertEquals(1, result.diskReadsSaved());
    // Three pages are read as wholes, by reads and fills together.
    assertEquals(3 * 0.010 + 3 * PAGE / 1e6, result.load().seconds(), NEAR);
    assertEquals(4 * 0.010 + result.bytes() / 1e6, result.loadWithout().seconds(), NEAR);
    assertEquals(3, result.mostPages());
  }

  @Test
  public void run_lastPageOfABlock_costsWhatItHas() throws Exception {
    Result result = run(new Traces().size(1, PAGE + 10).read(0, 1, 1, PAGE, 10).build(),
        Limiter.ADMIT_ALL, 10);
    assertEquals(FILE, result.bytesWritten());
    assertEquals(0.010 + 10 / 1e6, result.load().seconds(), NEAR);
  }

  @Test
  public void run_newGeneration_hitsNoPageOfTheOld() throws Exception {
    Result result = run(new Traces().read(0, 1, 1, 0, PAGE).read(SECOND, 1, 2, 0, PAGE)
        .read(2 * SECOND, 1, 2, 0, PAGE).build(), Limiter.ADMIT_ALL, 10);
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
    traces.read(2 * MINUTE + SECOND, 1, 1, 0, PAGE);
    Result result = run(traces.build(), Limiter.bucketTime(2, "10m"), 10);
    // The third read of block 1 is the one that admits it; block 2 is read too seldom.
    assertEquals(1, result.fills());
    assertEquals(1, result.missesAdmitted());
    assertEquals(5, result.missesNotAdmitted());
    assertEquals(1, result.hits());
  }

  @Test
  public void run_fewMissesOfAFullSsd_pagesThatNobodyReadTakeEachOthersPlace() throws Exception {
    Trace trace = Traces.ofPages(1, 2, 1, 3, 2, 1);
    Result result = new Sweep(trace, DISK, 1, () -> { }).run(List.of(
        new Setting(Limiter.ADMIT_ALL, PAGE, 2 * FILE))).get(0);
    // 3 takes the place of 2, and 2 that of 3; 1 was read again, and stays.
    assertEquals(2, result.hits());
    assertEquals(2, result.evictions());
    assertEquals(2, result.evictionsWithoutRead());
  }

  /** Admits all, and keeps what is evicted. */
  public static final class EvictionsKept extends AdmitAll {
    private static final List<String> EVICTED = new ArrayList<>();

    /** The constructor that limiters have. */
    public EvictionsKept(RateLimiterConfig config, RateLimiterClock clock) {
      super(config, clock);
    }

    @Override
    public void evicted(String blockPoolId, long blockId, int page) {
      EVICTED.add(blockId + "/" + page);
    }
  }

  @Test
  public void run_evictions_limiterIsToldEach() throws Exception {
    EvictionsKept.EVICTED.clear();
    Trace trace = new Traces().size(1, 8 * PAGE).size(2, 8 * PAGE).read(0, 1, 1, 0, PAGE)
        .read(SECOND, 2, 1, 3 * PAGE, PAGE).read(2 * SECOND, 1, 1, 5 * PAGE, PAGE)
        .read(3 * SECOND, 2, 1, 0, PAGE).build();
    Result result = new Sweep(trace, DISK, 1, () -> { }).run(List.of(new Setting(
        new Limiter(EvictionsKept.class.getName(), Map.of()), PAGE, 2 * FILE)))
        .get(0);
    assertEquals(2, result.evictions());
    assertEquals(List.of("1/0", "2/3"), EvictionsKept.EVICTED);
  }

  @Test
  public void run_secondTouch_fillsAPageWhenItIsMissedAgain() throws Exception {
    Trace trace = new Traces().size(1, 2 * PAGE).read(0, 1, 1, 0, 2 * PAGE)
        .read(SECOND, 1, 1, 0, PAGE).read(2 * SECOND, 1, 1, 0, 2 * PAGE).build();
    Result result = new Sweep(trace, Disk.DEFAULT, 1, () -> { }).run(List.of(new Setting(
        new Limiter("second-touch", Map.of()), PAGE, 1 << 20))).get(0);
    assertEquals(2, result.fills());
    assertEquals(1, result.partialHits());
    assertEquals(PAGE / (5.0 * PAGE), result.offload(), NEAR);
  }

  @Test
  public void run_writeBudget_writesNoMoreThanCapacityAndBudget() throws Exception {
    Trace trace = Traces.generated(Kind.CHURN);
    long capacity = 2L << 30;
    long budget = 4L << 30;
    Result result = new Sweep(trace, Disk.DEFAULT, 1, () -> { }).run(List.of(new Setting(
        Limiter.writeBudget(budget), 1 << 20, capacity))).get(0);
    long written = 0;
    for (int span = 0; span < result.spanBytesWritten().length; span++) {
      written += result.spanBytesWritten()[span];
      double allowed = capacity + budget * (span + 1) * result.spanHours() / 24;
      assertTrue(span + ": " + written + " of " + allowed, written <= 1.01 * allowed);
    }
    assertEquals(result.bytesWritten(), written);
    double allowed = capacity + budget * 20.0 / 24;
    assertTrue(written + " of " + allowed, written > 0.5 * allowed);
  }

  private static Result runPages(Traces traces, Limiter limiter) throws Exception {
    return new Sweep(traces.build(), DISK, 1, () -> { }).run(List.of(
        new Setting(limiter, 8 * PART, 1L << 30))).get(0);
  }

  @Test
  public void run_readOfAFewBytes_keepsTheirPartsAlone() throws Exception {
    Result result = runPages(new Traces().size(1, 8 * PART).read(0, 1, 1, 2 * PART + 5, 10)
        .read(MINUTE, 1, 1, 2 * PART, PART), Limiter.ADMIT_ALL);
    assertEquals(1, result.hits());
    assertEquals(1, result.partsWritten());
    assertEquals(PART + 4096, result.bytesWritten());
    assertEquals(0.010 + PART / 1e6, result.load().seconds(), NEAR);
  }

  @Test
  public void run_someOfThePartsAreThere_aPartialHitAddsTheOthersByOneVisit() throws Exception {
    Result result = runPages(new Traces().size(1, 8 * PART).read(0, 1, 1, 2 * PART, PART)
        .read(MINUTE, 1, 1, PART + 7, 3 * PART - 14).read(2 * MINUTE, 1, 1, PART, 3 * PART),
        Limiter.ADMIT_ALL);
    assertEquals(1, result.partialHits());
    assertEquals(1, result.hits());
    assertEquals(1, result.fills());
    assertEquals(3, result.partsWritten());
    assertEquals(2, result.load().visits());
    assertEquals((PART + 3.0 * PART) / result.bytes(), result.offload(), NEAR);
    assertEquals(1, result.mostPages());
    // The visit goes from the first part that is missing to the last.
    assertEquals(2 * 0.010 + 4 * PART / 1e6, result.load().seconds(), NEAR);
  }

  @Test
  public void run_notAdmitted_readsNoMoreThanWanted() throws Exception {
    Result result = runPages(new Traces().size(1, 8 * PART).read(0, 1, 1, 2 * PART + 5, 10),
        Limiter.bucketTime(5, "10m"));
    assertEquals(0.010 + 10 / 1e6, result.load().seconds(), NEAR);
    assertEquals(0, result.bytesWritten());
  }

  @Test
  public void run_readOfSeveralPages_isOneVisit() throws Exception {
    Result result = runPages(new Traces().size(1, 16 * PART).read(0, 1, 1, 6 * PART, 4 * PART),
        Limiter.ADMIT_ALL);
    assertEquals(1, result.load().visits());
    assertEquals(2, result.fills());
    assertEquals(4, result.partsWritten());
  }

  @Test
  public void run_sameOnTheWay_isWaitedForAndNotReadTwice() throws Exception {
    double visit = 10 + PART / 1e3;
    Result result = runPages(new Traces().size(1, 8 * PART).read(0, 1, 1, 0, PART)
        .read(4, 1, 1, 5, 10).read(MINUTE, 1, 1, 0, 1), Limiter.ADMIT_ALL);
    assertEquals(1, result.load().visits());
    assertEquals(1, result.hits());
    assertEquals((visit + visit - 4) / 3, result.load().meanWaitMillis(), NEAR);
    assertEquals((visit + 2 * visit - 4 + 10) / 3, result.loadWithout().meanWaitMillis(), visit);
  }

  @Test
  public void run_hours_worstIsToldApart() throws Exception {
    // In the second hour, a page of which 10 bytes are wanted comes as a part.
    Result result = runPages(new Traces().size(1, 8 * PART).size(2, 8 * PART)
        .read(0, 1, 1, 0, PART).read(MINUTE, 1, 1, 0, PART)
        .read(HOUR + MINUTE, 2, 1, 5, 10).read(2 * HOUR, 1, 1, 0, 10), Limiter.ADMIT_ALL);
    assertEquals(2, result.worstHour());
    double part = 10 + PART / 1e3;
    assertEquals(part / (2 * (10 + 10 / 1e3)), result.worstHourDiskTime(), NEAR);
  }

  @Test
  public void run_eachLimiter_heapIsThatOfPagesAndLimiter() throws Exception {
    for (Limiter limiter : List.of(Limiter.bucketTime(0, "10m"), Limiter.writeBudget(1L << 40))) {
      Result result = run(Traces.ofPages(1, 2), limiter, 10);
      assertTrue(limiter.shortName(), result.heapBytes() > 2 * Result.HEAP_PER_PAGE);
    }
  }

  @Test
  public void run_sweep_isTheSameOneByOne() throws Exception {
    Trace trace = Traces.generated(Kind.CHURN);
    List<Setting> settings = List.of(
        new Setting(Limiter.bucketTime(3, "10m"), 1 << 20, 1L << 30),
        new Setting(Limiter.bucketTime(3, "10m"), 256 << 10, 1L << 30),
        new Setting(Limiter.ADMIT_ALL, 1 << 20, 8L << 30));
    List<Result> together = new Sweep(trace, Disk.DEFAULT, 3, () -> { }).run(settings);
    for (int i = 0; i < settings.size(); i++) {
      Result alone = new Sweep(trace, Disk.DEFAULT, 1, () -> { })
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

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.Test;

/** The budget holds whatever is read, and the most valuable pages get in first. */
public class TestWriteBudgetRateLimit {
  private static final String POOL = "BP-1-10.0.0.1-1";
  private static final String PREFIX = "dfs.datanode.local.cache.";
  private static final long PAGE = 1 << 20;

  private final TestingClock clock = new TestingClock();
  private final Random random = new Random(1);
  private long admitted;

  @Test
  public void scanOfColdBlocks_nothingGetsIn() {
    CacheRateLimiter limiter = limiter("1000m", "1000m");
    for (int block = 0; block < 100_000; block++) {
      clock.advanceMillis(100);
      readPage(limiter, block, 0);
    }
    assertEquals(0, admitted);
    assertEquals(100_000L, (long) limiter.metrics().get("RejectedCold"));
  }

  /** Blocks of 128 pages are read from the beginning to the end, and once more a day later. */
  @Test
  public void scanByReadsOfAnySize_nothingGetsIn() {
    for (long size : new long[] {PAGE / 16, PAGE, 4 * PAGE, 128 * PAGE}) {
      CacheRateLimiter limiter = limiter("100g", "100g");
      for (int read = 0; read < 2; read++) {
        for (int block = 0; block < 50; block++) {
          for (long from = 0; from < 128 * PAGE; from += size) {
            clock.advanceMillis(10);
            limiter.record(POOL, block, from, size);
            assertFalse("by reads of " + size, limiter.admits(POOL, block));
          }
        }
        clock.advanceMillis(86_400_000);
      }
    }
  }

  @Test
  public void readsThatDoNotGoOn_count() {
    CacheRateLimiter limiter = limiter("100g", "100g");
    for (int read = 0; read < 8; read++) {
      limiter.record(POOL, 1, (7 - read) * PAGE, PAGE);
    }
    assertEquals(8, limiter.accesses(POOL, 1));
    limiter.record(POOL, 1, PAGE, PAGE);
    assertEquals("goes on where the last one ended", 8, limiter.accesses(POOL, 1));
    limiter.record(POOL, 1, 0, PAGE);
    assertEquals("from the beginning again", 9, limiter.accesses(POOL, 1));
  }

  @Test
  public void firstReadFromTheMiddle_budgetSuffices_getsIn() {
    CacheRateLimiter limiter = limiter("100g", "100g");
    limiter.record(POOL, 1, 5 * PAGE, PAGE);
    assertTrue(limiter.admits(POOL, 1));
    assertTrue(limiter.admits(POOL, 1, 5));
    assertFalse(limiter.wasMissedBefore(POOL, 1, 5));
    assertEquals("is one read", 1, limiter.accesses(POOL, 1));
    limiter.record(POOL, 2, 0, PAGE);
    assertFalse("from the beginning", limiter.admits(POOL, 2));
    limiter.record(POOL, 2, PAGE, PAGE);
    assertFalse("goes on", limiter.admits(POOL, 2));
    limiter.record(POOL, 2, 5 * PAGE, PAGE);
    assertTrue("skips some", limiter.admits(POOL, 2));
    clock.setMinute(60);
    assertFalse("is an hour old", limiter.admits(POOL, 1));
  }

  @Test
  public void blockReadTwiceWithinAnHour_emptySsd_getsIn() {
    CacheRateLimiter limiter = limiter("1000m", "");
    readPage(limiter, 1, 0);
    clock.setMinute(59);
    readPage(limiter, 1, 0);
    assertEquals(1, admitted);
  }

  @Test
  public void wasMissedBefore_pageOfAHotBlock_fromItsSecondMissOn() {
    CacheRateLimiter limiter = limiter("1000m", "");
    limiter.record(POOL, 1, 1);
    limiter.record(POOL, 1, 1);
    assertTrue(limiter.admits(POOL, 1, 0));
    assertFalse(limiter.wasMissedBefore(POOL, 1, 0));
    assertTrue(limiter.admits(POOL, 1, 0));
    assertTrue(limiter.wasMissedBefore(POOL, 1, 0));
    assertFalse("another page", limiter.wasMissedBefore(POOL, 1, 1));
  }

  @Test
  public void explain_namesHeatAndWhatItTakes() {
    CacheRateLimiter limiter = limiter("1m", "1m");
    limiter.record("BP-1", 1, 1);
    assertEquals(1, limiter.accesses("BP-1", 1));
    assertEquals("heat 1.00 is below the threshold 1.37", limiter.explain("BP-1", 1));
    limiter.record("BP-1", 1, 1);
    assertEquals("heat 2.00 reaches the threshold 1.37", limiter.explain("BP-1", 1));
  }

  @Test
  public void holdsBack_budgetSpent_namesTheTimeWhenItFillsAgain() {
    CacheRateLimiter limiter = limiter("1m", "1m");
    assertEquals("", limiter.holdsBack());
    for (int page = 0; page < 3; page++) {
      limiter.written(PAGE);
    }
    LocalDateTime before = LocalDateTime.now();
    String why = limiter.holdsBack();
    assertTrue(why, why.startsWith("write budget spent until "));
    // Two days' income is missing.
    LocalDateTime until = LocalDateTime.parse(why.substring("write budget spent until ".length()),
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm"));
    assertTrue(why, until.isAfter(before.plusDays(2)));
    assertFalse(why, until.isAfter(LocalDateTime.now().plusDays(2).plusMinutes(1)));
    clock.advanceMillis(2 * 86_400_000 + 2);
    assertEquals("", limiter.holdsBack());
  }

  @Test
  public void holdsBack_time_isTheNextFullMinute() {
    ZonedDateTime now = ZonedDateTime.of(2026, 11, 27, 23, 57, 24, 0, ZoneId.of("Europe/Berlin"));
    assertEquals("23:58", WriteBudgetRateLimit.fullMinuteAfter(1, now));
    assertEquals("23:59", WriteBudgetRateLimit.fullMinuteAfter(61_000, now));
    assertEquals("2026-11-28 00:00", WriteBudgetRateLimit.fullMinuteAfter(120_000, now));
  }

  @Test
  public void holdsBack_clocksChangeMeanwhile_isTheTimeOnTheClockThen() {
    ZoneId zone = ZoneId.of("Europe/Berlin");
    long threeHours = 3 * 3_600_000;
    ZonedDateTime march = ZonedDateTime.of(2026, 3, 29, 1, 0, 0, 0, zone);
    assertEquals("05:01", WriteBudgetRateLimit.fullMinuteAfter(threeHours, march));
    ZonedDateTime october = ZonedDateTime.of(2026, 10, 25, 1, 0, 0, 0, zone);
    assertEquals("03:01", WriteBudgetRateLimit.fullMinuteAfter(threeHours, october));
  }

  /** A date would be wrong a second later. */
  @Test
  public void holdsBack_pagesSpendAtOnceWhatComesIn_isSaidWithoutATime() {
    CacheRateLimiter limiter = limiter("16m", "86400m");
    for (int i = 0; i < 100; i++) {
      int pages = 0;
      while (limiter.mayWrite(0)) {
        limiter.written(PAGE);
        pages++;
      }
      assertTrue("a page gets in", pages > 0);
      assertTrue("is spent", limiter.metrics().get("BudgetBalanceBytes") <= 0);
      assertEquals("write budget spent: pages enter at 84.4 GB a day", limiter.holdsBack());
      clock.advanceMillis(1001);
      assertEquals("nobody spends it", "", limiter.holdsBack());
    }
  }

  /** After a restart, no page was written yet; the first may be the short end of a block. */
  @Test
  public void holdsBack_noPageOrAShortOneWasWritten_isSaidAsForUsualPages() {
    CacheRateLimiter limiter = limiter("1m", "20m");
    MemoryStateFile saved = new MemoryStateFile();
    saved.find(List.of(Map.of("Balance", -1000L, "Credit", PAGE)));
    limiter.restore(saved);
    assertEquals("write budget spent: pages enter at 20 MB a day", limiter.holdsBack());
    clock.advanceMillis(TestingClock.MINUTE);
    limiter.written(50_000);
    assertEquals("write budget spent: pages enter at 20 MB a day", limiter.holdsBack());
    assertEquals("write budget spent: pages enter at 4.9 KB a day", spent(limiter("1m", "5000")));
    assertEquals("write budget spent: pages enter at 10.0 GB a day",
        spent(limiter("1m", String.valueOf((10L << 30) - 1))));
    assertEquals("write budget spent: pages enter at 200 GB a day", spent(limiter("1m", "200g")));
    assertEquals("write budget spent: pages enter at 3.1 TB a day", spent(limiter("1m", "3200g")));
    limiter.capacity(0, 0);
    assertEquals("others say that no SSD is in use", "", limiter.holdsBack());
  }

  private static String spent(CacheRateLimiter limiter) {
    limiter.written(PAGE + 1);
    return limiter.holdsBack();
  }

  @Test
  public void holdsBack_pageCostsMinutes_isSaidWithoutATimeToo() {
    CacheRateLimiter limiter = limiter("1m", "200m");
    limiter.written(PAGE);
    for (int i = 0; i < 10; i++) {
      clock.advanceMillis(1);
      assertTrue(limiter.mayWrite(0));
      limiter.written(PAGE);
      for (int minute = 0; minute < 7; minute++) {
        assertEquals("write budget spent: pages enter at 200 MB a day", limiter.holdsBack());
        clock.advanceMillis(TestingClock.MINUTE);
      }
      clock.advanceMillis(TestingClock.MINUTE / 5);
    }
  }

  /** An operator's order asks repeatedly: that must not look like many hot pages. */
  @Test
  public void holdsBack_pageCostsHours_isSaidUntilTheNextPageGetsIn() {
    CacheRateLimiter limiter = limiter("1m", "1m");
    limiter.written(PAGE);
    int said = 0;
    for (int second = 0; second < 2 * 86_400; second++) {
      String why = limiter.holdsBack();
      boolean isOpen = limiter.mayWrite(0);
      assertEquals(second + " s: " + why, isOpen, why.isEmpty());
      if (isOpen) {
        limiter.written(PAGE);
      }
      said += isOpen ? 0 : 1;
      clock.advanceMillis(1000);
    }
    assertTrue("" + said, said > 86_400);
  }

  @Test
  public void mayWrite_otherPagesAreStillToBeWritten_leavesTheBudgetToThem() {
    CacheRateLimiter limiter = limiter("1m", "1m");
    assertTrue(limiter.mayWrite(PAGE - 1));
    assertFalse(limiter.mayWrite(PAGE));
    assertTrue(limiter.mayWrite(0));
  }

  @Test
  public void mayWrite_askedWhileTheBudgetIsSpent_isNoDemandOfReaders() {
    CacheRateLimiter asked = limiter("1m", "1m");
    CacheRateLimiter other = limiter("1m", "1m");
    for (CacheRateLimiter limiter : List.of(asked, other)) {
      limiter.written(2 * PAGE);
    }
    for (int minute = 0; minute < 10; minute++) {
      clock.setMinute(minute);
      for (int i = 0; i < 50; i++) {
        assertFalse(asked.mayWrite(0));
      }
      asked.record(POOL, 1, 1);
      other.record(POOL, 1, 1);
    }
    assertEquals(other.metrics(), asked.metrics());
  }

  @Test
  public void admitsByRule_budgetIsSpent_isCountedAndLeavesTheThreshold() {
    CacheRateLimiter asked = limiter("1m", "1m");
    CacheRateLimiter other = limiter("1m", "1m");
    assertTrue(asked.admitsByRule());
    for (CacheRateLimiter limiter : List.of(asked, other)) {
      limiter.written(2 * PAGE);
    }
    for (int minute = 0; minute < 10; minute++) {
      clock.setMinute(minute);
      assertFalse(asked.admitsByRule());
      asked.record(POOL, 1, 1);
      other.record(POOL, 1, 1);
    }
    Map<String, Long> expected = new HashMap<>(other.metrics());
    expected.put("RejectedBudget", 10L);
    assertEquals(expected, asked.metrics());
  }

  @Test
  public void burstOfReadsThatAllQualify_neverMoreThanCreditAndIncome() {
    // Each block is read through twice: a scan that comes back once, the worst there is.
    CacheRateLimiter limiter = limiter("1000m", "2000m");
    for (int block = 0; block < 1000; block++) {
      for (int page = 0; page < 200; page++) {
        clock.advanceMillis(20);
        readPage(limiter, block, page % 100);
        assertTrue(admitted <= allowed(1000, 2000) + 1);
      }
    }
    assertTrue("admitted " + admitted, admitted > 500);
    assertTrue(limiter.metrics().toString(), limiter.metrics().get("RejectedBudget") > 0);
  }

  /** The end of a minute is noticed while the balance of the last start is being loaded. */
  @Test
  public void restore_minuteEndsMeanwhile_bytesWrittenBeforeTheRestartDoNotRaiseTheThreshold() {
    CacheRateLimiter limiter = limiter("100m", "100m");
    limiter.record(POOL, 1, 1);
    limiter.restore(new StateFile() {
      @Override
      public List<Map<String, Long>> load() {
        return List.of(Map.of("Balance", 100L << 20, "Credit", 100L << 20, "Written", 1L << 40));
      }

      @Override
      public CompletableFuture<Void> save(Map<String, Long> values) {
        clock.advanceMillis(60_000);
        limiter.record(POOL, 1, 1);
        return CompletableFuture.completedFuture(null);
      }
    });
    assertEquals("written before", 1L << 40, (long) limiter.metrics().get("BudgetSpentBytes"));
    assertEquals("the lowest threshold", 1368, (long) limiter.metrics().get("ThresholdFirstTouchMilli"));
  }

  @Test
  public void tightBudget_raisesTheThreshold_andIsSpent() {
    CacheRateLimiter limiter = limiter("100m", "100m");
    for (int minute = 1; minute < 24 * 60; minute++) {
      clock.setMinute(minute);
      // Block 0 is read 20 times a minute, 400 others twice an hour, each a page of many.
      for (int i = 0; i < 20; i++) {
        readPage(limiter, 0, random.nextInt(10_000));
      }
      for (int i = 0; i < 14; i++) {
        readPage(limiter, 1 + random.nextInt(400), random.nextInt(10_000));
      }
    }
    Map<String, Long> metrics = limiter.metrics();
    assertTrue(metrics.toString(), metrics.get("ThresholdFirstTouchMilli") > 100_000);
    assertTrue(metrics.toString(), metrics.get("RejectedFirstTouch") > 1000);
    limiter.record(POOL, 999, PAGE, PAGE);
    assertFalse("a first read from the middle", limiter.admits(POOL, 999));
    for (long i = 0; i < metrics.get("ThresholdSecondTouchMilli") / 500; i++) {
      limiter.record(POOL, 1000, 1);
    }
    String why = limiter.explain(POOL, 1000);
    assertTrue(why, why.contains(" suffices for pages missed before; others need "));
    assertTrue(metrics.toString(), admitted <= allowed(100, 100) + 1);
    assertTrue(metrics.toString(), admitted >= 150);
    assertEquals(admitted * PAGE, (long) metrics.get("BudgetSpentBytes"));
  }

  @Test
  public void longerPageIsWritten_whatWasRejectedBeforeGetsNoLonger() {
    CacheRateLimiter limiter = limiter("16m", "100g");
    limiter.record(POOL, 1, 1);
    limiter.record(POOL, 1, 1);
    while (limiter.mayWrite(0)) {
      limiter.written(1024);
    }
    for (int i = 0; i < 100_000; i++) {
      assertFalse(limiter.admits(POOL, 1, 0));
    }
    clock.setMinute(1);
    limiter.record(POOL, 2, 1);
    assertEquals(1368L, (long) limiter.metrics().get("ThresholdFirstTouchMilli"));
    limiter.written(PAGE);
    clock.setMinute(2);
    limiter.record(POOL, 2, 1);
    assertEquals(1368L, (long) limiter.metrics().get("ThresholdFirstTouchMilli"));
  }

  /** Pages are written without reads by warm, and by rules for blocks that nobody else reads. */
  @Test
  public void noReadForHours_whatWasWrittenCountsForEachMinute() {
    CacheRateLimiter limiter = limiter("16m", "100g");
    long income = (100L << 30) / (24 * 60);
    limiter.record(POOL, 1, 1);
    for (int minute = 1; minute <= 600; minute++) {
      clock.setMinute(minute);
      limiter.written(income);
    }
    limiter.record(POOL, 1, 1);
    assertEquals("at its floor", 1368L, (long) limiter.metrics().get("ThresholdFirstTouchMilli"));
  }

  @Test
  public void largeBudget_thresholdStaysAtItsFloor_onceReadStaysOut() {
    CacheRateLimiter limiter = limiter("100g", "100g");
    for (int minute = 1; minute < 600; minute++) {
      clock.setMinute(minute);
      readPage(limiter, random.nextInt(50), random.nextInt(100));
      limiter.record(POOL, 1_000_000 + minute, 1);
      assertFalse(limiter.admits(POOL, 1_000_000 + minute));
    }
    assertEquals(1368L, (long) limiter.metrics().get("ThresholdFirstTouchMilli"));
  }

  @Test
  public void noBudget_orOnlyXAndY_isThePapersLimiter() {
    List<Map<String, String>> settings = List.of(
        Map.of("write.budget", "0", "rate.limiter.threshold", "2"),
        Map.of("rate.limiter.threshold", "2"));
    for (Map<String, String> keys : settings) {
      CacheRateLimiter limiter = limiter(keys);
      for (int i = 0; i < 3; i++) {
        assertFalse(limiter.admits(POOL, 1));
        limiter.record(POOL, 1, 1);
      }
      assertTrue(limiter.admits(POOL, 1));
      assertTrue(limiter.admits(POOL, 1, 0));
      assertFalse(limiter.metrics().containsKey("BudgetBytesPerDay"));
    }
  }

  @Test
  public void budgetIsPerSsd_defaultIsTheCapacity() {
    CacheRateLimiter limiter = limiter(Map.of());
    assertEquals("nothing is known", 0, (long) limiter.metrics().get("BudgetBytesPerDay"));
    assertFalse(limiter.mayWrite(0));
    limiter.capacity(3, 3L << 40);
    assertEquals(3L << 40, (long) limiter.metrics().get("BudgetBytesPerDay"));
    assertEquals(3L << 40, (long) limiter.metrics().get("BudgetBalanceBytes"));
    CacheRateLimiter withBudget = limiter(Map.of("write.budget", "512m"));
    withBudget.capacity(2, 2L << 40);
    assertEquals(1L << 30, (long) withBudget.metrics().get("BudgetBytesPerDay"));
    withBudget.capacity(3, 3L << 40);
    assertEquals(3L << 29, (long) withBudget.metrics().get("BudgetBytesPerDay"));
    assertEquals("credit for each", 3L << 40,
        (long) withBudget.metrics().get("BudgetBalanceBytes"));
  }

  @Test
  public void badBudget_refusedWithKeyValueAndAllowed() {
    for (String bad : new String[] {"-1", "1 TB", "x", "99999999t", "1.5t"}) {
      String message = assertThrows(IllegalArgumentException.class,
          () -> limiter("1t", bad)).getMessage();
      assertEquals("dfs.datanode.local.cache.write.budget = " + bad + ": must be a number of "
          + "bytes, with or without one of the suffixes k, m, g, t", message);
    }
  }

  private double allowed(long credit, long perDay) {
    return credit + perDay * (clock.millis() / 86_400_000.0);
  }

  private void readPage(CacheRateLimiter limiter, long block, int page) {
    limiter.record(POOL, block, PAGE);
    if (limiter.admits(POOL, block) && limiter.admits(POOL, block, page)) {
      limiter.written(PAGE);
      admitted++;
    }
  }

  private CacheRateLimiter limiter(String capacity, String budget) {
    CacheRateLimiter limiter = limiter(Map.of("write.budget", budget));
    limiter.capacity(1, RateLimiterConfig.of(Map.of("", capacity)).getBytes("", 0));
    return limiter;
  }

  private CacheRateLimiter limiter(Map<String, String> keys) {
    Map<String, String> values = new HashMap<>();
    keys.forEach((key, value) -> values.put(PREFIX + key, value));
    return RateLimiterFactory.create("write-budget", RateLimiterConfig.of(values), clock);
  }
}

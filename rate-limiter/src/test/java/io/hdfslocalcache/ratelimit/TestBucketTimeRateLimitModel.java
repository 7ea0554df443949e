/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import java.util.Random;
import org.junit.Test;

/** The limiter decides as {@link NaiveRateLimit} does, read by read, where a bucket is a minute. */
public class TestBucketTimeRateLimitModel {
  private static final String[] POOLS = {"BP-1-10.0.0.1-1", "BP-2-10.0.0.2-2"};
  private static final int MAX = BucketTimeRateLimit.Window.MOST_BITS;

  private final TestingClock clock = new TestingClock();
  private long seed;
  private int positive;
  private int negative;

  @Test
  public void randomHistories_everyDecisionIsTheModels() {
    Random random = seeded();
    for (int i = 0; i < 150; i++) {
      int threshold = random.nextInt(random.nextBoolean() ? 20 : 4);
      int buckets = 1 + random.nextInt(MAX / BucketTimeRateLimit.Window.bitsOfCounter(threshold));
      replay(random, threshold, buckets, 1 + random.nextInt(400));
    }
    assertBothHappened();
  }

  @Test
  public void extremes_everyDecisionIsTheModels() {
    Random random = seeded();
    int[][] extremes = {{0, 1}, {0, MAX}, {1, MAX / 2}, {2, MAX / 2}, {10, 12}, {14, 12},
        {40, 8}, {62, 8}, {63, 6}, {126, 6}, {200, 4}, {400, 1}};
    for (int[] xy : extremes) {
      for (int i = 0; i < 10; i++) {
        replay(random, xy[0], xy[1], 1 + random.nextInt(5));
      }
    }
    assertBothHappened();
  }

  @Test
  public void fewBlocks_burstsAtTheEdges_everyDecisionIsTheModels() {
    Random random = seeded();
    for (int i = 0; i < 300; i++) {
      int threshold = random.nextInt(12);
      int buckets = 1 + random.nextInt(12);
      CacheRateLimiter limiter = limiter(threshold, buckets);
      NaiveRateLimit model = new NaiveRateLimit(threshold, buckets);
      clock.setMinute(random.nextInt(100_000) - 50_000);
      for (int step = 0; step < 200; step++) {
        // Exactly X or X + 1 reads, then exactly Y - 1, Y or Y + 1 minutes.
        int reads = random.nextInt(3) == 0 ? random.nextInt(3) : threshold + random.nextInt(2);
        for (int read = 0; read < reads; read++) {
          record(limiter, model, POOLS[0], 7);
          assertSame(limiter, model, POOLS[0], 7, "step " + step);
        }
        int minutes = random.nextInt(3) == 0 ? random.nextInt(3) : buckets - 1 + random.nextInt(3);
        clock.advanceMillis((minutes - random.nextInt(2)) * TestingClock.MINUTE);
        assertSame(limiter, model, POOLS[0], 7, "step " + step);
      }
    }
    assertBothHappened();
  }

  @Test
  public void longIdleTimes_minutesInTheStatesBeginAgain_everyDecisionIsTheModels() {
    Random random = seeded();
    int[] gaps = {8191, 8192, 8193, 16384, 32767, 32768, 32769, 65535, 65536, 65537, 1 << 20};
    CacheRateLimiter limiter = limiter(2, 5);
    NaiveRateLimit model = new NaiveRateLimit(2, 5);
    for (int i = 0; i < 3000; i++) {
      long block = random.nextInt(3);
      record(limiter, model, POOLS[0], block);
      for (long asked = 0; asked < 3; asked++) {
        assertSame(limiter, model, POOLS[0], asked, "operation " + i);
      }
      if (random.nextInt(4) == 0) {
        int gap = gaps[random.nextInt(gaps.length)] + random.nextInt(5) - 2;
        clock.advanceMillis(gap * TestingClock.MINUTE);
      }
    }
    assertBothHappened();
  }

  @Test
  public void blockIdleWhileOthersAreRead_untilItsMinuteBeginsAgain_isCold() {
    CacheRateLimiter limiter = limiter(2, 5);
    for (int i = 0; i < 3; i++) {
      limiter.record(POOLS[0], 1, 1);
    }
    assertTrue(limiter.admits(POOLS[0], 1));
    for (int minute = 1; minute <= 3 * 65536; minute++) {
      clock.setMinute(minute);
      limiter.record(POOLS[0], 2, 1);
      assertEquals("minute " + minute, minute < 5, limiter.admits(POOLS[0], 1));
    }
    limiter.record(POOLS[0], 1, 1);
    assertEquals(false, limiter.admits(POOLS[0], 1));
  }

  private Random seeded() {
    seed = System.nanoTime();
    System.out.println("seed " + seed);
    return new Random(seed);
  }

  private void replay(Random random, int threshold, int buckets, int blocks) {
    clock.setMillis(random.nextInt(10_000_000) - 5_000_000);
    CacheRateLimiter limiter = limiter(threshold, buckets);
    NaiveRateLimit model = new NaiveRateLimit(threshold, buckets);
    int pace = 1 + random.nextInt(4000);
    for (int i = 0; i < 4000; i++) {
      moveClock(random, buckets, pace);
      String pool = POOLS[random.nextInt(2)];
      // Squared, so that some blocks are much hotter than others.
      long block = 1L << 30 | (long) (blocks * Math.pow(random.nextDouble(), 2));
      if (random.nextInt(4) > 0) {
        record(limiter, model, pool, block);
      }
      assertSame(limiter, model, pool, block,
          "X " + threshold + " Y " + buckets + " operation " + i);
    }
  }

  /** Mostly a little; sometimes exactly a minute, over a gap, or back as a late thread sees it. */
  private void moveClock(Random random, int buckets, int pace) {
    int kind = random.nextInt(1000);
    if (kind < 8) {
      clock.advanceMillis(random.nextInt(3 * buckets) * TestingClock.MINUTE);
    } else if (kind < 16) {
      clock.advanceMillis(-random.nextInt(2 * buckets * (int) TestingClock.MINUTE));
    } else if (kind < 40) {
      clock.setMinute(1 + Math.floorDiv(clock.millis(), TestingClock.MINUTE));
    } else {
      clock.advanceMillis(random.nextInt(pace));
    }
  }

  private void record(CacheRateLimiter limiter, NaiveRateLimit model, String pool, long block) {
    limiter.record(pool, block, 1);
    model.record(minute(), pool + block);
  }

  private void assertSame(CacheRateLimiter limiter, NaiveRateLimit model, String pool, long block,
      String when) {
    boolean expected = model.admits(minute(), pool + block);
    if (!expected) {
      assertEquals("reads counted, " + when + ", seed " + seed,
          model.reads(minute(), pool + block), limiter.accesses(pool, block));
    }
    positive += expected ? 1 : 0;
    negative += expected ? 0 : 1;
    assertEquals("seed " + seed + " " + when, expected, limiter.admits(pool, block));
  }

  private long minute() {
    return Math.floorDiv(clock.millis(), TestingClock.MINUTE);
  }

  private void assertBothHappened() {
    assertTrue("seed " + seed + ": too few positive: " + positive, positive > 1000);
    assertTrue("seed " + seed + ": too few negative: " + negative, negative > 1000);
  }

  private CacheRateLimiter limiter(int threshold, int buckets) {
    return new BucketTimeRateLimit(RateLimiterConfig.of(Map.of(
        BucketTimeRateLimit.MAX_BLOCKS_KEY, "4096",
        BucketTimeRateLimit.THRESHOLD_KEY, Integer.toString(threshold),
        BucketTimeRateLimit.WINDOW_KEY, buckets + "m")), clock);
  }
}

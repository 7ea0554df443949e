/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** Several threads on one limiter: not one read is lost or counted twice. */
public class TestBucketTimeRateLimitConcurrency {
  private static final String POOL = "BP-1-10.0.0.1-1";
  private static final int THREADS = 8;

  private final TestingClock clock = new TestingClock();

  @Test
  public void everyBlockReadOnceByEachThread_countIsExact() throws Exception {
    // Admitted by the last thread's read and not before: X is one less than the threads.
    assertExact(30_000, 40_000, 0);
  }

  @Test
  public void everyBlockReadOnceByEachThread_whileMinutesPass_countIsExact() throws Exception {
    assertExact(30_000, 40_000, 2);
  }

  @Test
  public void tableFullOfOldBlocks_givenAway_countIsExact() throws Exception {
    // Each round finds the slots taken by blocks of the round before, which are too old to count.
    CacheRateLimiter exact = limiter(THREADS - 1, 10, 2048, clock);
    CacheRateLimiter below = limiter(THREADS, 10, 2048, clock);
    for (int round = 0; round < 100; round++) {
      clock.setMinute(round * 10);
      long first = round * 2000L;
      Threads.run(THREADS, thread -> {
        for (long block = first; block < first + 1500; block++) {
          exact.record(POOL, block, 1);
          below.record(POOL, block, 1);
        }
      });
      assertExact(exact, below, first, 1500);
    }
  }

  @Test
  public void clocksAMinuteApart_nothingWiped() throws Exception {
    // Every second thread lives in the minute before.
    CacheRateLimiter limiter = limiter(30, 10, 4096, new RateLimiterClock() {
      private final AtomicInteger readings = new AtomicInteger();

      @Override
      public long millis() {
        return clock.millis() - readings.incrementAndGet() % 2 * TestingClock.MINUTE;
      }
    });
    Threads.run(THREADS, thread -> {
      for (int i = 0; i < 4; i++) {
        limiter.record(POOL, 1, 1);
      }
    });
    assertTrue("31 of 32 reads are enough", limiter.admits(POOL, 1));
  }

  @Test
  public void admission_onceEarnedInTheWindow_isNeverLostAtABoundary() throws Exception {
    CacheRateLimiter limiter = limiter(10, 30, 4096, clock);
    for (int i = 0; i <= 10; i++) {
      limiter.record(POOL, 0, 1);
    }
    Threads.run(THREADS, thread -> {
      for (int i = 0; i < 20_000; i++) {
        if (thread == 0 && i % 1000 == 0) {
          clock.advanceMillis(TestingClock.MINUTE);
        }
        limiter.record(POOL, 1 + i % 16, 1);
        assertTrue(limiter.admits(POOL, 0));
      }
    });
  }

  private void assertExact(int blocks, int maxBlocks, int minutes) throws Exception {
    CacheRateLimiter exact = limiter(THREADS - 1, 20, maxBlocks, clock);
    CacheRateLimiter below = limiter(THREADS, 20, maxBlocks, clock);
    AtomicInteger done = new AtomicInteger();
    Threads.run(THREADS, thread -> {
      for (int i = 0; i < blocks; i++) {
        // Half of them forwards, half backwards, so that they meet.
        int block = thread % 2 == 0 ? i : blocks - 1 - i;
        exact.record(POOL, block, 1);
        below.record(POOL, block, 1);
        if (done.incrementAndGet() % 20_000 == 0) {
          clock.advanceMillis(minutes * TestingClock.MINUTE / 2);
        }
      }
    });
    assertExact(exact, below, 0, blocks);
  }

  private static void assertExact(
      CacheRateLimiter exact, CacheRateLimiter below, long first, int blocks) {
    int lost = 0;
    for (long block = first; block < first + blocks; block++) {
      lost += exact.admits(POOL, block) ? 0 : 1;
      assertFalse("counted twice: block " + block, below.admits(POOL, block));
    }
    assertEquals("blocks with a lost read", 0, lost);
  }

  private static CacheRateLimiter limiter(
      int threshold, int buckets, int maxBlocks, RateLimiterClock clock) {
    return new BucketTimeRateLimit(RateLimiterConfig.of(Map.of(
        BucketTimeRateLimit.MAX_BLOCKS_KEY, Integer.toString(maxBlocks),
        BucketTimeRateLimit.THRESHOLD_KEY, Integer.toString(threshold),
        BucketTimeRateLimit.WINDOW_KEY, buckets + "m")), clock);
  }
}

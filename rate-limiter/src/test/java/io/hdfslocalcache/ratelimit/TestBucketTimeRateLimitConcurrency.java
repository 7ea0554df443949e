/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** Several threads on one limiter: what was counted is the exact total, whatever the clock did. */
public class TestBucketTimeRateLimitConcurrency {
  private static final String POOL = "BP-1-10.0.0.1-1";
  private static final int THREADS = 4;
  private static final int ROUNDS = 20_000;
  private static final int BLOCKS = 16;
  private static final int EXPECTED_PER_BLOCK = THREADS * ROUNDS / BLOCKS;

  private final TestingClock clock = new TestingClock();

  @Test
  public void counting_inOneBucket_losesNothing() throws Exception {
    BucketTimeRateLimit limiter = limiter("10m");
    Threads.run(THREADS, thread -> {
      for (int i = 0; i < ROUNDS; i++) {
        limiter.record(POOL, i % BLOCKS, 1);
      }
    });
    assertExactTotals(limiter);
  }

  @Test
  public void counting_whileEachThreadMovesTheMinute_losesNothing() throws Exception {
    BucketTimeRateLimit limiter = limiter("1000m");
    AtomicInteger done = new AtomicInteger();
    Threads.run(THREADS, thread -> {
      for (int i = 0; i < ROUNDS; i++) {
        limiter.record(POOL, i % BLOCKS, 1);
        // Some 800 times, while the others are anywhere in their records.
        if (done.incrementAndGet() % 100 == 0) {
          clock.advanceMillis(TestingClock.MINUTE);
        }
      }
    });
    assertEquals(THREADS * ROUNDS / 100 * TestingClock.MINUTE, clock.millis());
    assertExactTotals(limiter);
  }

  @Test
  public void admission_onceEarnedInTheWindow_isNeverLostAtABoundary() throws Exception {
    BucketTimeRateLimit limiter = limiter("1000m", 10);
    for (int i = 0; i <= 10; i++) {
      limiter.record(POOL, 0, 1);
    }
    Threads.run(THREADS, thread -> {
      for (int i = 0; i < ROUNDS; i++) {
        if (i % 100 == thread) {
          clock.advanceMillis(TestingClock.MINUTE);
        }
        limiter.record(POOL, 1 + i % BLOCKS, 1);
        assertTrue(limiter.admits(POOL, 0));
      }
    });
  }

  @Test
  public void lateThreads_clockGoingBackAndForth_loseNothing() throws Exception {
    // Each thread's clock is up to two minutes behind or ahead of the others'.
    BucketTimeRateLimit limiter = limiter("1000m", 1_000_000, new JumpyClock());
    Threads.run(THREADS, thread -> {
      for (int i = 0; i < ROUNDS; i++) {
        limiter.record(POOL, i % BLOCKS, 1);
      }
    });
    assertExactTotals(limiter);
  }

  private void assertExactTotals(BucketTimeRateLimit limiter) {
    for (int block = 0; block < BLOCKS; block++) {
      assertEquals("block " + block, EXPECTED_PER_BLOCK, limiter.count(POOL, block));
    }
  }

  private BucketTimeRateLimit limiter(String window) {
    return limiter(window, 1_000_000);
  }

  private BucketTimeRateLimit limiter(String window, int threshold) {
    return limiter(window, threshold, clock);
  }

  private static BucketTimeRateLimit limiter(
      String window, int threshold, RateLimiterClock clock) {
    return new BucketTimeRateLimit(RateLimiterConfig.of(Map.of(
        BucketTimeRateLimit.THRESHOLD_KEY, Integer.toString(threshold),
        BucketTimeRateLimit.WINDOW_KEY, window)), clock);
  }

  /** Moves on a minute every 200 readings, and errs by up to two minutes either way. */
  private static final class JumpyClock implements RateLimiterClock {
    private final AtomicInteger readings = new AtomicInteger();

    @Override
    public long millis() {
      int reading = readings.incrementAndGet();
      return (reading / 200 + reading % 5 - 2) * TestingClock.MINUTE;
    }
  }
}

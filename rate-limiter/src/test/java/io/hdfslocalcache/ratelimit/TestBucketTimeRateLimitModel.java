/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import java.util.Random;
import org.junit.Test;

/** Random histories, decided by {@link BucketTimeRateLimit} exactly as by the naive model. */
public class TestBucketTimeRateLimitModel {
  private static final String[] POOLS = {"BP-1-10.0.0.1-1", "BP-2-10.0.0.2-2"};
  private static final int OPERATIONS = 20_000;

  private final TestingClock clock = new TestingClock();
  private int admitted;

  @Test
  public void randomHistories_decisionsEqualTheModel() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 60; i++) {
      replayRandomHistory(seed, random);
    }
    assertTrue("seed " + seed + ": no decision was positive", admitted > 1000);
  }

  private void replayRandomHistory(long seed, Random random) {
    int threshold = random.nextInt(12);
    int window = 1 + random.nextInt(12);
    int blocks = 1 + random.nextInt(3000);
    clock.setMillis(random.nextInt(10_000_000) - 5_000_000);
    NaiveRateLimit model = new NaiveRateLimit(threshold, window);
    BucketTimeRateLimit limiter = limiter(threshold, window);
    for (int i = 0; i < OPERATIONS; i++) {
      moveClock(random, window);
      String pool = POOLS[random.nextInt(2)];
      // Squared, so that some blocks are much hotter than others.
      long block = 1L << 30 | (long) (blocks * Math.pow(random.nextDouble(), 2));
      long minute = Math.floorDiv(clock.millis(), TestingClock.MINUTE);
      if (random.nextInt(4) > 0) {
        model.record(minute, pool + block);
        limiter.record(pool, block, 1);
      }
      boolean expected = model.admits(minute, pool + block);
      admitted += expected ? 1 : 0;
      assertEquals("seed " + seed + " X " + threshold + " Y " + window + " operation " + i,
          expected, limiter.admits(pool, block));
    }
  }

  /** Mostly a little; sometimes exactly a minute, over a gap, or back as a late thread sees it. */
  private void moveClock(Random random, int window) {
    int kind = random.nextInt(1000);
    if (kind < 4) {
      clock.advanceMillis(random.nextInt(3 * window) * TestingClock.MINUTE);
    } else if (kind < 8) {
      clock.advanceMillis(-random.nextInt(2 * window * (int) TestingClock.MINUTE));
    } else if (kind < 12) {
      clock.setMinute(1 + Math.floorDiv(clock.millis(), TestingClock.MINUTE));
    } else {
      clock.advanceMillis(random.nextInt(400));
    }
  }

  private BucketTimeRateLimit limiter(int threshold, int window) {
    return new BucketTimeRateLimit(RateLimiterConfig.of(Map.of(
        BucketTimeRateLimit.THRESHOLD_KEY, Integer.toString(threshold),
        BucketTimeRateLimit.WINDOW_KEY, window + "m")), clock);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** The limiters beside the paper's, each by its short name. */
public class TestPageLimiters {
  private static final String POOL = "BP-1-10.0.0.1-1";

  private final TestingClock clock = new TestingClock();

  @Test
  public void distinctMinutes_burstCountsOnce() {
    CacheRateLimiter limiter = limiter("distinct-minutes", "threshold", "2", "window", "5m");
    for (int i = 0; i < 100; i++) {
      limiter.record(POOL, 1, 1);
    }
    assertFalse(limiter.admits(POOL, 1));
    clock.setMinute(1);
    limiter.record(POOL, 1, 1);
    assertFalse(limiter.admits(POOL, 1));
    clock.setMinute(4);
    limiter.record(POOL, 1, 1);
    assertTrue(limiter.admits(POOL, 1));
    clock.setMinute(5);
    assertFalse("minute 0 has left the window", limiter.admits(POOL, 1));
  }

  @Test
  public void distinctMinutes_thresholdNotBelowWindow_orWindowTooLong_refused() {
    for (String window : new String[] {"5m", "41m"}) {
      String message = assertThrows(IllegalArgumentException.class, () -> limiter(
          "distinct-minutes", "threshold", "5", "window", window)).getMessage();
      assertTrue(message, message.contains("window = '" + window + "': must have more buckets"));
    }
  }

  @Test
  public void secondTouch_ofTheSamePage_admitted() {
    CacheRateLimiter limiter = limiter("second-touch");
    assertTrue("any block may", limiter.admits(POOL, 1));
    assertFalse(limiter.admits(POOL, 1, 7));
    assertFalse(limiter.admits(POOL, 1, 8));
    assertFalse(limiter.admits(POOL, 2, 7));
    assertFalse(limiter.admits("BP-2", 1, 7));
    assertTrue(limiter.admits(POOL, 1, 7));
    assertTrue(limiter.admits("BP-2", 1, 7));
  }

  @Test
  public void secondTouch_rememberedForOneToTwoWindows() {
    CacheRateLimiter limiter = limiter("second-touch", "page.window", "10m");
    assertFalse(limiter.admits(POOL, 1, 0));
    clock.setMinute(19);
    assertTrue(limiter.admits(POOL, 1, 0));
    clock.setMinute(40);
    assertFalse(limiter.admits(POOL, 1, 0));
    clock.setMinute(60);
    assertFalse("after an idle time", limiter.admits(POOL, 1, 0));
  }

  @Test
  public void rejectFirst_forgetsByNumberNotByTime() {
    CacheRateLimiter limiter = limiter("reject-first", "max.pages", "1024");
    assertFalse(limiter.admits(POOL, 1, 0));
    clock.setMinute(1_000_000);
    assertTrue(limiter.admits(POOL, 1, 0));
    for (int page = 0; page < 3000; page++) {
      limiter.admits(POOL, 2, page);
    }
    assertFalse(limiter.admits(POOL, 1, 0));
  }

  @Test
  public void scanOfPages_fewTakenForKnown() {
    CacheRateLimiter limiter = limiter("second-touch", "max.pages", "65536");
    int wrong = 0;
    for (int page = 0; page < 1_000_000; page++) {
      wrong += limiter.admits(POOL, page / 400, page % 400) ? 1 : 0;
    }
    assertTrue(wrong + " of 1,000,000", wrong < 50_000);
    assertTrue("the filter does take some", wrong > 0);
  }

  @Test
  public void hybrid_hotBlock_atFirstTouch_others_atSecond() {
    CacheRateLimiter limiter = limiter("hybrid", "threshold", "3");
    limiter.record(POOL, 1, 1);
    assertFalse(limiter.admits(POOL, 1, 0));
    assertTrue(limiter.admits(POOL, 1, 0));
    for (int i = 0; i < 4; i++) {
      limiter.record(POOL, 2, 1);
    }
    assertTrue(limiter.admits(POOL, 2, 0));
  }

  @Test
  public void limiterOfBlocksAlone_admitsEveryPage_keepsNothing() {
    CacheRateLimiter limiter = limiter("bucket-time", "threshold", "0");
    limiter.record(POOL, 1, 1);
    assertTrue(limiter.admits(POOL, 1));
    assertTrue(limiter.admits(POOL, 1, 3));
    limiter.written(1);
    limiter.close();
    assertEquals(Map.of("ForgottenBlocks", 0L), limiter.metrics());
  }

  private CacheRateLimiter limiter(String... nameKeysAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 1; i < nameKeysAndValues.length; i += 2) {
      values.put("dfs.datanode.local.cache.rate.limiter." + nameKeysAndValues[i],
          nameKeysAndValues[i + 1]);
    }
    return RateLimiterFactory.create(nameKeysAndValues[0], RateLimiterConfig.of(values), clock);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** All limiters but the paper's, each by its short name. */
public class TestPageLimiters {
  private static final String POOL = "BP-1-10.0.0.1-1";

  private final TestingClock clock = new TestingClock();

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
  public void secondTouch_rememberedForOneToTwoHours() {
    CacheRateLimiter limiter = limiter("second-touch");
    assertFalse(limiter.admits(POOL, 1, 0));
    clock.setMinute(119);
    assertTrue(limiter.admits(POOL, 1, 0));
    clock.setMinute(240);
    assertFalse(limiter.admits(POOL, 1, 0));
    clock.setMinute(360);
    assertFalse("after an idle time", limiter.admits(POOL, 1, 0));
  }

  @Test
  public void scanOfPages_fewTakenForKnown() {
    CacheRateLimiter limiter = limiter("second-touch", "max.blocks", "4096");
    int wrong = 0;
    for (int page = 0; page < 1_000_000; page++) {
      wrong += limiter.admits(POOL, page / 400, page % 400) ? 1 : 0;
    }
    assertTrue(wrong + " of 1,000,000", wrong < 50_000);
    assertTrue("the filter does take some", wrong > 0);
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

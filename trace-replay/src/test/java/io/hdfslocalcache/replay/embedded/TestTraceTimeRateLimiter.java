/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import org.junit.Test;

/** A trace is replayed 600 times as fast: ten of its minutes are a second. */
public class TestTraceTimeRateLimiter {

  private static final String POOL = "BP-1";

  private final AtomicLong millis = new AtomicLong(1);

  private CacheRateLimiter limiter(String... keys) {
    Map<String, String> config = new HashMap<>();
    config.put(TraceTimeRateLimiter.RATE_KEY, "600");
    for (int i = 0; i < keys.length; i += 2) {
      config.put(keys[i], keys[i + 1]);
    }
    CacheRateLimiter limiter = RateLimiterFactory.create(
        TraceTimeRateLimiter.class.getName(), RateLimiterConfig.of(config), millis::get);
    limiter.capacity(1, 4L << 30);
    return limiter;
  }

  private boolean admitsSecondReadAfter(CacheRateLimiter limiter, long pause) {
    limiter.record(POOL, 1, 1);
    assertFalse("the first read", limiter.admits(POOL, 1));
    millis.addAndGet(pause);
    limiter.record(POOL, 1, 1);
    return limiter.admits(POOL, 1);
  }

  @Test
  public void byDefault_anHourOfTheTraceIsSixSeconds() {
    assertTrue(admitsSecondReadAfter(limiter(), 5_000));
    assertFalse(admitsSecondReadAfter(limiter(), 13_000));
  }

  @Test
  public void thresholdAndWindow_theWindowIsOfTheTrace() {
    String[] keys = {BucketTimeRateLimit.THRESHOLD_KEY, "1", BucketTimeRateLimit.WINDOW_KEY, "10m"};
    assertTrue(admitsSecondReadAfter(limiter(keys), 800));
    assertFalse(admitsSecondReadAfter(limiter(keys), 1_200));
  }

  @Test
  public void secondTouch_isForgottenInTimeOfTheTrace() {
    CacheRateLimiter limiter = limiter(TraceTimeRateLimiter.CLASS_KEY, "second-touch");
    assertTrue("the first read", limiter.admits(POOL, 1));
    assertFalse("the first touch", limiter.admits(POOL, 1, 0));
    millis.addAndGet(5_000);
    assertTrue(limiter.admits(POOL, 1, 0));
    assertFalse(limiter.admits(POOL, 1, 1));
    millis.addAndGet(13_000);
    assertFalse(limiter.admits(POOL, 1, 1));
  }

  /** A method that is missing would have the default of the interface. */
  @Test
  public void allMethods_areThoseOfTheLimiter() throws Exception {
    for (Method method : CacheRateLimiter.class.getMethods()) {
      assertEquals(method.toString(), TraceTimeRateLimiter.class, TraceTimeRateLimiter.class
          .getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass());
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import org.junit.Test;

/** Making a limiter by class name, and the messages when that fails. */
public class TestRateLimiterFactory {
  private static final String PREFIX = "dfs.datanode.local.cache.rate.limiter.";

  private final TestingClock clock = new TestingClock();

  @Test
  public void noClassConfigured_isWriteBudget() {
    CacheRateLimiter limiter = create(Map.of());
    assertSame(WriteBudgetRateLimit.class, limiter.getClass());
  }

  @Test
  public void shortNames_areMade() {
    Map<String, Class<?>> classes = Map.of("write-budget", WriteBudgetRateLimit.class,
        WriteBudgetRateLimit.class.getName(), WriteBudgetRateLimit.class,
        "bucket-time", BucketTimeRateLimit.class, "second-touch", SecondTouch.class,
        "admit-all", AdmitAll.class);
    classes.forEach((name, type) -> assertSame(name, type,
        create(Map.of(PREFIX + "class", name, WriteBudgetRateLimit.BUDGET_KEY, "1g")).getClass()));
  }

  @Test
  public void keysOfOtherLimiters_haveNoEffect() {
    String budget = WriteBudgetRateLimit.BUDGET_KEY;
    String threshold = BucketTimeRateLimit.THRESHOLD_KEY;
    assertTrue(RateLimiterFactory.hasEffect("write-budget", budget));
    assertTrue(RateLimiterFactory.hasEffect("write-budget", threshold));
    assertFalse(RateLimiterFactory.hasEffect("bucket-time", budget));
    assertTrue(RateLimiterFactory.hasEffect("bucket-time", threshold));
    assertFalse(RateLimiterFactory.hasEffect(AdmitAll.class.getName(), threshold));
    assertTrue("who knows", RateLimiterFactory.hasEffect("com.example.Mine", threshold));
  }

  @Test
  public void unknownName_messageListsAllNames() {
    String message = errorOf(Map.of(PREFIX + "class", "bucket"));
    assertTrue(message, message.contains("must be one of admit-all, bucket-time, "
        + "second-touch, write-budget, or a public class"));
  }

  @Test
  public void configAndClock_reachTheLimiter() {
    CacheRateLimiter limiter = RateLimiterFactory.create(
        RateLimiterConfig.of(Map.of(PREFIX + "threshold", "0", PREFIX + "window", "1m")), clock);
    limiter.record("BP-1", 1, 1);
    assertTrue(limiter.admits("BP-1", 1));
    clock.setMinute(1);
    assertFalse(limiter.admits("BP-1", 1));
  }

  @Test
  public void badClass_refusedWithKeyValueAndAllowed() {
    String[] bad = {"", "no.such.Limiter", "java.lang.String", "[I",
        CacheRateLimiter.class.getName(), WithoutConstructor.class.getName(),
        Abstract.class.getName(), BrokenInitializer.class.getName(), Failing.class.getName()};
    for (String className : bad) {
      String message = errorOf(Map.of(PREFIX + "class", className));
      assertTrue(message, message.startsWith(PREFIX + "class = " + className + ": must be "));
      assertTrue(message, message.contains(CacheRateLimiter.class.getName()));
      assertTrue(message, message.contains("(RateLimiterConfig, RateLimiterClock)"));
    }
  }

  @Test
  public void className_withLineBreak_messageIsOneLine() {
    String message = errorOf(Map.of(PREFIX + "class", "no.such\nLimiter"));
    assertFalse(message.contains("\n"));
  }

  @Test
  public void failingConstructor_itsReasonIsTold() {
    String message = errorOf(Map.of(PREFIX + "class", Failing.class.getName()));
    assertTrue(message, message.endsWith("(java.lang.IllegalStateException: no luck today)"));
  }

  @Test
  public void badThreshold_refusedInTheLimitersOwnWords() {
    for (String value : new String[] {"-1", "1000001", "ten", ""}) {
      assertEquals(PREFIX + "threshold = " + value
          + ": must be a whole number from 0 to 1000000", errorOf("threshold", value));
    }
  }

  @Test
  public void badMaxBlocks_refusedInTheLimitersOwnWords() {
    for (String value : new String[] {"1023", "67108865", "1m"}) {
      assertEquals(PREFIX + "max.blocks = " + value
          + ": must be a whole number from 1024 to 67108864", errorOf("max.blocks", value));
    }
  }

  @Test
  public void badWindow_refusedInTheLimitersOwnWords() {
    for (String value : new String[] {"0", "90s", "30s", "1441m", "2d"}) {
      String message = errorOf("window", value);
      assertTrue(message, message.startsWith(PREFIX + "window = " + value + ": must be a "));
    }
    assertEquals(PREFIX + "window = 90s: must be a whole number of minutes from 1m to 24h",
        errorOf("window", "90s"));
  }

  @Test
  public void extremes_areAllowed() {
    create(Map.of(PREFIX + "threshold", "1000000", PREFIX + "window", "24h"));
    create(Map.of(PREFIX + "threshold", "0", PREFIX + "window", "1m",
        PREFIX + "max.blocks", "1024"));
  }

  private String errorOf(String key, String value) {
    return errorOf(Map.of(PREFIX + key, value));
  }

  private String errorOf(Map<String, String> values) {
    return assertThrows(IllegalArgumentException.class, () -> create(values)).getMessage();
  }

  private CacheRateLimiter create(Map<String, String> values) {
    return RateLimiterFactory.create(RateLimiterConfig.of(values), clock);
  }

  /** Admits nothing. */
  public abstract static class Abstract implements CacheRateLimiter {
    protected Abstract() {
    }

    public Abstract(RateLimiterConfig config, RateLimiterClock clock) {
    }

    @Override
    public void record(String blockPoolId, long blockId, long bytes) {
    }

    @Override
    public boolean admits(String blockPoolId, long blockId) {
      return false;
    }
  }

  /** Lacks the required constructor. */
  public static class WithoutConstructor extends Abstract {
  }

  /** Fails when its class is initialized. */
  public static class BrokenInitializer extends Abstract {
    static final int VALUE = Integer.parseInt("broken");

    public BrokenInitializer(RateLimiterConfig config, RateLimiterClock clock) {
    }
  }

  /** Fails for a reason other than a configuration error. */
  public static class Failing extends Abstract {
    public Failing(RateLimiterConfig config, RateLimiterClock clock) {
      throw new IllegalStateException("no luck today");
    }
  }
}

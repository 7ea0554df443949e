/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** No error of a limiter reaches the read, whatever it is. */
public class TestSafeRateLimiter {
  private static final List<Throwable> ERRORS = List.of(
      new IllegalStateException("bug"), new NullPointerException(), new AssertionError("bug"),
      new NoClassDefFoundError("gone"), new StackOverflowError(), new OutOfMemoryError("table"),
      new InternalError("fault"), new Exception("sneaked past the compiler"));

  private final TestingClock clock = new TestingClock();
  private final List<Throwable> errors = new ArrayList<>();

  @Test
  public void anyThrowable_isToldAndNotAdmitted() {
    for (Throwable error : ERRORS) {
      SafeRateLimiter limiter = safe(new ThrowingLimiter(error));
      limiter.record("BP-1", 1, 1);
      assertFalse(limiter.admits("BP-1", 1));
      assertFalse(limiter.admits("BP-1", 1, 0));
      limiter.written(1);
      limiter.evicted("BP-1", 1, 0);
      limiter.capacity(1, 1);
      limiter.restore(new MemoryStateFile());
      assertEquals(Map.of(), limiter.metrics());
      assertFalse("takes another limiter", limiter.reconfigure(RateLimiterConfig.of(Map.of())));
      assertEquals(-1, limiter.accesses("BP-1", 1));
      assertFalse(limiter.wouldAdmit("BP-1", 1));
      assertEquals("the rate limiter failed", limiter.explain("BP-1", 1));
      limiter.close();
      assertEquals(Collections.nCopies(13, error), errors);
      errors.clear();
    }
  }

  @Test
  public void exchange_theOldOneCannotBeClosed_theNextIsUsed() {
    OutOfMemoryError error = new OutOfMemoryError("thrown by a test");
    SafeRateLimiter limiter = safe(new ThrowingLimiter(error));
    limiter.exchange(new AdmitAll(null, null));
    assertEquals(List.of(error), errors);
    assertTrue(limiter.admits("BP-1", 1));
  }

  /** The old one is closed, so it would admit nothing. */
  @Test
  public void exchange_balanceCannotBeRead_theNextIsUsedAndGetsNoCreditAgain() {
    List<CacheRateLimiter> budgets = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      budgets.add(RateLimiterFactory.create("write-budget",
          RateLimiterConfig.of(Map.of(WriteBudgetRateLimit.BUDGET_KEY, "240")), clock));
    }
    SafeRateLimiter limiter = safe(budgets.get(0));
    limiter.capacity(1, 1000);
    MemoryStateFile file = new MemoryStateFile();
    limiter.restore(file);
    limiter.written(400);
    file.failWith(new OutOfMemoryError("thrown by a test"));
    limiter.exchange(budgets.get(1));
    file.failWith(null);
    assertEquals(0, limiter.metrics().get("BudgetBalanceBytes").longValue());
    clock.advanceMillis(86_400_000);
    assertTrue(limiter.mayWrite(0));
  }

  @Test
  public void soundLimiter_isPassedThrough() {
    SafeRateLimiter limiter = safe(new AdmitAll(null, null));
    limiter.record("BP-1", 1, 1);
    assertTrue(limiter.admits("BP-1", 1));
    assertEquals("every block is admitted", limiter.explain("BP-1", 1));
    limiter.close();
    assertEquals(List.of(), errors);
  }

  /** A method that is forgotten would silently do what its default does. */
  @Test
  public void methodsOfTheInterface_areAllPassedOn() {
    for (Method method : CacheRateLimiter.class.getMethods()) {
      try {
        SafeRateLimiter.class.getDeclaredMethod(method.getName(), method.getParameterTypes());
      } catch (NoSuchMethodException e) {
        throw new AssertionError("does not pass on " + method, e);
      }
    }
  }

  @Test
  public void listenerThatFailsToo_isContained() {
    SafeRateLimiter limiter = new SafeRateLimiter(
        new ThrowingLimiter(new IllegalStateException("bug")), clock, error -> {
          throw new OutOfMemoryError("log");
        });
    assertFalse(limiter.admits("BP-1", 1));
  }

  private SafeRateLimiter safe(CacheRateLimiter limiter) {
    return new SafeRateLimiter(limiter, clock, errors::add);
  }

  /** Fails in every call. */
  private record ThrowingLimiter(Throwable error) implements CacheRateLimiter {

    @Override
    public void record(String blockPoolId, long blockId, long bytes) {
      sneak(error);
    }

    @Override
    public boolean admits(String blockPoolId, long blockId) {
      sneak(error);
      return true;
    }

    @Override
    public boolean admits(String blockPoolId, long blockId, int page) {
      sneak(error);
      return true;
    }

    @Override
    public void written(long bytes) {
      sneak(error);
    }

    @Override
    public void evicted(String blockPoolId, long blockId, int page) {
      sneak(error);
    }

    @Override
    public void capacity(int ssds, long bytes) {
      sneak(error);
    }

    @Override
    public void restore(StateFile state) {
      sneak(error);
    }

    @Override
    public long accesses(String blockPoolId, long blockId) {
      sneak(error);
      return 0;
    }

    @Override
    public String explain(String blockPoolId, long blockId) {
      sneak(error);
      return "";
    }

    @Override
    public Map<String, Long> metrics() {
      sneak(error);
      return Map.of();
    }

    @Override
    public boolean reconfigure(RateLimiterConfig config) {
      sneak(error);
      return true;
    }

    @Override
    public void close() {
      sneak(error);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable error) throws T {
      throw (T) error;
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.lang.System.Logger;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import org.junit.Test;

/** No error of a limiter reaches the read, whatever it is. */
public class TestSafeRateLimiter {
  private static final List<Throwable> ERRORS = List.of(
      new IllegalStateException("bug"), new NullPointerException(), new AssertionError("bug"),
      new NoClassDefFoundError("gone"), new StackOverflowError(), new OutOfMemoryError("table"),
      new InternalError("fault"), new Exception("sneaked past the compiler"));

  private final TestingClock clock = new TestingClock();
  private final TestingLogger logger = new TestingLogger();

  @Test
  public void anyThrowable_isCountedAndNotAdmitted() {
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
      assertEquals(13, limiter.errors());
    }
  }

  @Test
  public void soundLimiter_isPassedThrough() {
    SafeRateLimiter limiter = safe(new AdmitAll(null, null));
    limiter.record("BP-1", 1, 1);
    assertTrue(limiter.admits("BP-1", 1));
    assertEquals("every block is admitted", limiter.explain("BP-1", 1));
    limiter.close();
    assertEquals(0, limiter.errors());
    assertTrue(logger.lines.isEmpty());
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
  public void errors_loggedAtMostOnceAMinute() {
    SafeRateLimiter limiter = safe(new ThrowingLimiter(new IllegalStateException("bug")));
    for (int i = 0; i < 1000; i++) {
      limiter.admits("BP-1", 1);
    }
    assertEquals(1, logger.lines.size());
    clock.setMillis(TestingClock.MINUTE - 1);
    limiter.admits("BP-1", 1);
    assertEquals(1, logger.lines.size());
    clock.setMillis(TestingClock.MINUTE);
    limiter.admits("BP-1", 1);
    assertEquals(2, logger.lines.size());
    assertTrue(logger.lines.get(1), logger.lines.get(1).contains(" 1002 times"));
    assertTrue(logger.lines.get(1), logger.lines.get(1).contains("ThrowingLimiter"));
  }

  @Test
  public void clockAndLoggerThatFailToo_areContained() {
    RateLimiterClock broken = () -> {
      throw new IllegalStateException("no time");
    };
    ThrowingLimiter throwing = new ThrowingLimiter(new IllegalStateException("bug"));
    SafeRateLimiter limiter = new SafeRateLimiter(throwing, broken);
    assertFalse(limiter.admits("BP-1", 1));
    assertEquals(1, limiter.errors());
    limiter = new SafeRateLimiter(throwing, clock, null);
    assertFalse(limiter.admits("BP-1", 1));
    assertEquals(1, limiter.errors());
  }

  private SafeRateLimiter safe(CacheRateLimiter limiter) {
    return new SafeRateLimiter(limiter, clock, logger);
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

  /** Keeps the log lines. */
  private static final class TestingLogger implements Logger {
    private final List<String> lines = new ArrayList<>();

    @Override
    public String getName() {
      return "testing";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      lines.add(message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      lines.add(format);
    }
  }
}

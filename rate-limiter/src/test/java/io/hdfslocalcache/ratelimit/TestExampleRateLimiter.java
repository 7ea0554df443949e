/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import org.junit.Test;

/** A limiter from outside this project works by its class name, with keys of its own. */
public class TestExampleRateLimiter {

  @Test
  public void namedByItsClass_isMadeAndDecides() {
    CacheRateLimiter limiter = create("1m");
    limiter.record("BP-1", 1, (1 << 20) - 1);
    assertFalse(limiter.admits("BP-1", 1));
    limiter.record("BP-1", 1, 1);
    assertTrue(limiter.admits("BP-1", 1));
    assertTrue("every page, by default", limiter.admits("BP-1", 1, 5));
  }

  @Test
  public void badValueOfItsOwnKey_isTold() {
    String message = assertThrows(
        IllegalArgumentException.class, () -> create("1 MB")).getMessage();
    assertTrue(message, message.startsWith("org.example.limiter.bytes = 1 MB: must be a number"));
  }

  private static CacheRateLimiter create(String bytes) {
    return RateLimiterFactory.create(RateLimiterConfig.of(Map.of(
        RateLimiterFactory.CLASS_KEY, ExampleRateLimiter.class.getName(),
        ExampleRateLimiter.BYTES_KEY, bytes)), new TestingClock());
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import org.junit.Test;

/** Typed getters: what they accept, and their messages about what they refuse. */
public class TestRateLimiterConfig {

  @Test
  public void absentKey_hasItsDefault() {
    RateLimiterConfig config = RateLimiterConfig.of(Map.of());
    assertEquals("d", config.get("k", "d"));
    assertEquals(3, config.getInt("k", 3, 0, 5));
    assertEquals(600_000, config.getDurationMillis("k", "10m", "1s", "1h"));
  }

  @Test
  public void durations_everySuffix_inMilliseconds() {
    assertEquals(5, duration("5ms"));
    assertEquals(5, duration("5"));
    assertEquals(5_000, duration("5s"));
    assertEquals(300_000, duration("5m"));
    assertEquals(18_000_000, duration("5h"));
    assertEquals(432_000_000, duration("5d"));
    assertEquals(300_000, duration(" 5M "));
    assertEquals(300_000, duration("5 m"));
  }

  @Test
  public void durations_badOnes_refusedWithKeyValueAndAllowed() {
    String[] bad = {"", "m", "5x", "5us", "1.5h", "-5m", "0", "366d", "9223372036854775807d"};
    for (String value : bad) {
      String message = assertThrows(IllegalArgumentException.class, () -> duration(value))
          .getMessage();
      assertEquals("k = " + value + ": must be a duration from 1ms to 365d, written as a whole"
          + " number with one of the suffixes ms, s, m, h, d", message);
    }
  }

  @Test
  public void numbers_badOnes_refusedWithKeyValueAndAllowed() {
    for (String value : new String[] {"", "x", "1.5", "0", "10", "99999999999999999999", "0x5"}) {
      RateLimiterConfig config = RateLimiterConfig.of(Map.of("k", value));
      String message = assertThrows(IllegalArgumentException.class,
          () -> config.getInt("k", 3, 1, 9)).getMessage();
      assertEquals("k = " + value + ": must be a whole number from 1 to 9", message);
    }
  }

  @Test
  public void message_longValueWithLineBreaks_isOneShortLine() {
    String value = "a\r\nb\u2028c" + "x".repeat(9999);
    RateLimiterConfig config = RateLimiterConfig.of(Map.of("k", value));
    String message = assertThrows(IllegalArgumentException.class,
        () -> config.getInt("k", 3, 1, 9)).getMessage();
    assertTrue(message.startsWith("k = a b cxxx"));
    assertTrue(message.endsWith("...: must be a whole number from 1 to 9"));
    assertFalse(message.contains("\n"));
    assertTrue(message.length() < 300);
  }

  private static long duration(String value) {
    return RateLimiterConfig.of(Map.of("k", value)).getDurationMillis("k", "1m", "1ms", "365d");
  }
}

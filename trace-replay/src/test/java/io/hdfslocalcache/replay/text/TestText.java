/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.text;

import static org.junit.Assert.assertEquals;

import java.util.Locale;
import java.util.OptionalDouble;

import org.junit.Test;

/** Numbers for people, and sizes from people. */
public class TestText {

  @Test
  public void count_oneAndMany_haveTheirNouns() {
    assertEquals("1 page", Text.count(1, "page"));
    assertEquals("1,234 pages", Text.count(1234, "page"));
    assertEquals("0 accesses", Text.count(0, "access", "accesses"));
  }

  @Test
  public void percent_none_isAHyphen() {
    assertEquals("98.7 %", Text.percent(0.9871));
    assertEquals("98.7 %", Text.percent(OptionalDouble.of(0.9871)));
    assertEquals("-", Text.percent(OptionalDouble.empty()));
  }

  @Test
  public void format_otherLocale_isTheSame() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertEquals("1,234.5", Text.format("%,.1f", 1234.5));
      assertEquals("12.3 %", Text.percent(0.123));
      assertEquals("1,000,000", Text.count(1_000_000));
    } finally {
      Locale.setDefault(before);
    }
  }
}

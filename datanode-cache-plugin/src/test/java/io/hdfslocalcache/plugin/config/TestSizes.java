/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TestSizes {

  @Test
  public void text_isWholeOrHasOneDigit() {
    assertEquals("0 B", Sizes.text(0));
    assertEquals("1023 B", Sizes.text(1023));
    assertEquals("1 KB", Sizes.text(1024));
    assertEquals("125.3 MB", Sizes.text(131_420_000));
    assertEquals("1.5 GB", Sizes.text(3L << 29));
  }

  @Test
  public void textBesideAnother_thatWouldReadTheSame_isExact() {
    long quota = 20 << 20;
    assertEquals("20,972,297 B", Sizes.text(quota + 777, quota));
    assertEquals("20,971,520 B", Sizes.text(quota, quota + 777));
    assertEquals("20 MB", Sizes.text(quota, quota));
    assertEquals("20 MB", Sizes.text(quota, 2 * quota));
    assertEquals("20.1 MB", Sizes.text(quota + (100 << 10), quota));
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;

import java.util.Random;

import org.junit.Test;

/** Parts of pages, by hand and byte by byte. */
public class TestParts {

  private static final int KB = 1 << 10;
  /** What the checksums of a part take. */
  private static final int TAIL = 4 * KB;

  @Test
  public void of_pageSizes_aPartIsAnEighthAndAtLeast128K() {
    assertEquals(0b1111_1111, new Parts(1 << 20).of(0, 1 << 20));
    assertEquals(0b1111_1111, new Parts(4 << 20).of(0, 4 << 20));
    assertEquals(0b11, new Parts(256 * KB).of(0, 256 * KB));
    assertEquals(0b1, new Parts(128 * KB).of(0, 128 * KB));
    assertEquals(0b1, new Parts(4 * KB).of(0, 4 * KB));
    assertEquals(0b0000_0001, new Parts(1 << 20).of(0, 128 * KB));
    assertEquals(0b0000_0110, new Parts(1 << 20).of(256 * KB - 1, 256 * KB + 1));
  }

  @Test
  public void space_parts_dataAndChecksumsOfEach() {
    Parts parts = new Parts(1 << 20);
    assertEquals(132 * KB, parts.space(0b100, 1 << 20));
    assertEquals(8 * 132 * KB, parts.space(0b1111_1111, 1 << 20));
    assertEquals(4 * KB + TAIL, parts.space(0b1, 10));
    assertEquals(132 * KB + 8 * KB + TAIL, parts.space(0b11, 128 * KB + 5000));
  }

  @Test
  public void common_randomRanges_asByteByByte() {
    long seed = 3;
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      int pageSize = 4 * KB * (1 + random.nextInt(300));
      Parts parts = new Parts(pageSize);
      int from = random.nextInt(pageSize);
      int to = from + 1 + random.nextInt(pageSize - from);
      int some = parts.of(0, pageSize) & random.nextInt(256);
      int common = 0;
      for (int at = from; at < to; at++) {
        common += (parts.of(at, at + 1) & some) != 0 ? 1 : 0;
      }
      assertEquals("seed " + seed + " range " + i, common, parts.common(some, from, to));
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.TimeUnit;

import org.junit.Test;

public class TestVerifiedRanges {

  private static final int LENGTH = 10_000;

  private long nanos = 1;
  private final VerifiedRanges ranges = new VerifiedRanges(512, LENGTH, () -> nanos);

  private void add(int from, int to) {
    ranges.add(ranges.epoch(), from, to);
  }

  @Test
  public void cover_nothingAdded_isFalse() {
    assertFalse(ranges.cover(0, 1));
  }

  @Test
  public void cover_addedRange_isTrueForItsPartsAndNoMore() {
    add(0, 8192);
    assertTrue(ranges.cover(0, 8192));
    assertTrue(ranges.cover(5000, 5001));
    assertFalse(ranges.cover(8191, 8193));
  }

  @Test
  public void add_partsOfGranules_doNotCount() {
    add(512, 8192 + 512);
    assertFalse(ranges.cover(512, 513));
    assertTrue(ranges.cover(4096, 8192));
    assertFalse(ranges.cover(8192, 8193));
  }

  @Test
  public void add_toTheEndOfTheData_countsThoughTheGranuleGoesOn() {
    add(8192, LENGTH);
    assertTrue(ranges.cover(8192, LENGTH));
  }

  @Test
  public void clear_everything_isForgotten() {
    add(0, LENGTH);
    ranges.clear();
    assertFalse(ranges.cover(0, 1));
  }

  @Test
  public void add_verifiedBeforeTheClear_doesNotCount() {
    int epoch = ranges.epoch();
    ranges.clear();
    ranges.add(epoch, 0, LENGTH);
    assertFalse(ranges.cover(0, 1));
  }

  @Test
  public void cover_longAgo_isVerifiedAnew() {
    add(0, LENGTH);
    nanos += TimeUnit.SECONDS.toNanos(9);
    assertTrue(ranges.cover(0, LENGTH));
    nanos += TimeUnit.SECONDS.toNanos(2);
    assertFalse(ranges.cover(0, 1));
    add(0, LENGTH);
    assertTrue(ranges.cover(0, LENGTH));
  }

  @Test
  public void granule_chunksThatDoNotDivideIt_isAMultipleOfThem() {
    VerifiedRanges odd = new VerifiedRanges(3000, 30_000);
    odd.add(odd.epoch(), 0, 6000);
    assertTrue(odd.cover(0, 6000));
    assertFalse(odd.cover(6000, 6001));
    odd.add(odd.epoch(), 6000, 9000);
    assertFalse("half of a granule of 6000", odd.cover(6000, 6001));
  }
}

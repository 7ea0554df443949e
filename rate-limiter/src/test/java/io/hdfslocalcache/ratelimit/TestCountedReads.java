/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Histories by hand, of 5 buckets with counters up to 127. */
public class TestCountedReads {
  private final CountedReads rules = new CountedReads(100, 5);

  private long reads(int times, long history, long age) {
    long result = times == 0 ? history : rules.add(history, age);
    for (int i = 1; i < times; i++) {
      result = rules.add(result, 0);
    }
    return result;
  }

  @Test
  public void reads_countUntilTheirBucketLeaves() {
    long history = reads(60, reads(41, 0, 0), 3);
    assertEquals(101, rules.reads(history, 0));
    assertTrue(rules.exceedsThreshold(history, 1));
    assertEquals("the 41 have left", 60, rules.reads(history, 2));
    assertEquals(60, rules.reads(history, 4));
    assertEquals(0, rules.reads(history, 5));
    assertEquals(0, rules.heat(history, 5));
  }

  @Test
  public void fullCounter_changesNoMore_andSpillsIntoNoOther() {
    long full = reads(1000, reads(1, 0, 0), 1);
    assertEquals(full, rules.add(full, 0));
    assertEquals(1 + 127, rules.reads(full, 0));
  }
}

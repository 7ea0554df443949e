/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.Arrays;

import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.junit.Test;

public class TestTally {

  private static final double SMALL = 1e-9;

  private static Tally sample() {
    Tally tally = new Tally();
    tally.add(500_000, 700_000, 100);
    tally.add(900_000, 2_300_000, 1000);
    tally.addLate(70);
    tally.addLate(50);
    tally.addFailed();
    return tally;
  }

  private static Tally copy(Tally tally) throws Exception {
    DataOutputBuffer out = new DataOutputBuffer();
    tally.write(out);
    DataInputBuffer in = new DataInputBuffer();
    in.reset(out.getData(), out.getLength());
    Tally copy = new Tally();
    copy.add(9, 10, 11);
    copy.readFields(in);
    assertEquals("all is read", out.getLength(), in.getPosition());
    return copy;
  }

  private static void assertSample(Tally tally) {
    assertEquals(2, tally.operations());
    assertEquals(1100, tally.bytes());
    assertEquals(1, tally.failed());
    assertEquals(2, tally.late());
    assertEquals(70, tally.behindMillis());
    assertEquals(1800, tally.spanMillis());
    assertEquals(1.6, tally.waitedSeconds(), 0.002);
    assertEquals(200, tally.micros().getValueAtPercentile(50) / 1000, 1);
    assertEquals(3, tally.waits(1).length);
  }

  @Test
  public void figures_twoReads_areThoseOfTheReads() {
    assertSample(sample());
  }

  @Test
  public void readFields_intoAUsedOne_replacesAll() throws Exception {
    assertSample(copy(sample()));
  }

  @Test
  public void add_otherTally_sumsAndTakesExtremes() {
    Tally sum = new Tally();
    sum.add(sample());
    Tally later = new Tally();
    later.add(5_000_000, 5_100_000, 10);
    later.addLate(90);
    sum.add(later);
    assertEquals(3, sum.operations());
    assertEquals(1110, sum.bytes());
    assertEquals(3, sum.late());
    assertEquals(90, sum.behindMillis());
    assertEquals(4600, sum.spanMillis());
    assertEquals(6, sum.waits(1).length);
    assertEquals(0.1, sum.waits(1)[5], SMALL);
    assertEquals(0.3, sum.waits(1)[0], SMALL);
  }

  @Test
  public void waits_readOverSeconds_isInEach() {
    assertArrayEquals(new double[] {0.2 + 0.1, 1, 0.3}, sample().waits(1), SMALL);
    assertArrayEquals("two seconds together", new double[] {1.3, 0.3}, sample().waits(2), SMALL);
  }

  @Test
  public void waits_beginsBeforeTheStart_countsFromTheStart() {
    Tally tally = new Tally();
    tally.add(-500_000, 250_000, 7);
    assertEquals(0.25, tally.waits(1)[0], SMALL);
  }

  @Test
  public void waits_afterTheLastSecond_areInIt() {
    long end = 1_000_000_000_000L;
    Tally tally = new Tally();
    tally.add(end + 5_000_000, end + 7_000_000, 7);
    double[] waits = tally.waits(1);
    assertEquals(1_000_000, waits.length);
    assertEquals(2, waits[999_999], SMALL);
  }

  @Test
  public void add_longerThanAnHour_countsAsAnHour() {
    Tally tally = new Tally();
    tally.add(0, 7_200_000_000L, 1);
    assertEquals(3600, tally.waitedSeconds(), 4);
    assertEquals("not the span", 7_200_000, tally.spanMillis());
  }

  @Test
  public void add_clockWentBack_tookNoTime() {
    Tally tally = new Tally();
    tally.add(2000, 1000, 1);
    assertEquals(0, tally.waitedSeconds(), 0);
    assertEquals(0, tally.spanMillis());
    assertEquals(1, tally.operations());
  }

  @Test
  public void readFields_damaged_isAnError() throws Exception {
    DataOutputBuffer out = new DataOutputBuffer();
    sample().write(out);
    byte[] damaged = out.getData().clone();
    // Within the compressed histogram, behind its header.
    Arrays.fill(damaged, 10, 20, (byte) 0x55);
    DataInputBuffer in = new DataInputBuffer();
    in.reset(damaged, out.getLength());
    IOException e = assertThrows(IOException.class, () -> new Tally().readFields(in));
    assertEquals("a damaged histogram", e.getMessage());
  }
}

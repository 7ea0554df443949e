/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.Arrays;

import io.hdfslocalcache.replay.benchmark.Tally.Timeline;
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
    assertEquals(3, tally.timeline().steps());
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
  public void readFields_empty_isEmpty() throws Exception {
    Tally copy = copy(new Tally());
    assertEquals(0, copy.operations());
    assertEquals(0, copy.spanMillis());
    assertEquals(0, copy.waitedSeconds(), 0);
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
    assertEquals(6, sum.timeline().steps());
  }

  @Test
  public void timeline_readOverSteps_waitsInEachAndEndsInTheLast() {
    Timeline timeline = sample().timeline();
    assertEquals(0.2 + 0.1, timeline.waiting(0), SMALL);
    assertEquals(1, timeline.waiting(1), SMALL);
    assertEquals(0.3, timeline.waiting(2), SMALL);
    assertEquals(1, timeline.reads(0));
    assertEquals(0, timeline.reads(1));
    assertEquals(1000, timeline.bytes(2));
  }

  @Test
  public void timeline_beginsBeforeTheStart_countsFromTheStart() {
    Timeline timeline = new Timeline();
    timeline.add(-500, 250, 7);
    assertEquals(0.25, timeline.waiting(0), SMALL);
    assertEquals(7, timeline.bytes(0));
  }

  @Test
  public void timeline_afterTheLastStep_isCountedInItWithAllItsWait() {
    long end = 1_000_000 * Timeline.STEP_MILLIS;
    Timeline timeline = new Timeline();
    timeline.add(end + 5000, end + 7000, 7);
    int last = timeline.steps() - 1;
    assertEquals(1_000_000, timeline.steps());
    assertEquals(1, timeline.reads(last));
    assertEquals(2, timeline.waiting(last), SMALL);
  }

  @Test
  public void timeline_twoOfDifferentLength_areAddedStepByStep() {
    Timeline sum = new Timeline();
    sum.add(0, 500, 1);
    Timeline longer = new Timeline();
    longer.add(0, 250, 2);
    longer.add(100_000, 100_500, 4);
    sum.add(longer);
    longer.add(sum);
    assertEquals(101, sum.steps());
    assertEquals(2, sum.reads(0));
    assertEquals(0.75, sum.waiting(0), SMALL);
    assertEquals(4, sum.bytes(100));
    assertEquals("the second is not changed by the first", 8, longer.bytes(100));
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
  public void add_emptyTally_changesNothing() {
    Tally sum = sample();
    sum.add(new Tally());
    assertSample(sum);
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

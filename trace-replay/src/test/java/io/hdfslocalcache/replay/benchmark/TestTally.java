/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertEquals;

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
    tally.addTaskMillis(3000);
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
    assertEquals(3000, tally.taskMillis());
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
}

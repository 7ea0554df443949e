/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import static io.hdfslocalcache.replay.trace.StatTrace.HOUR;
import static io.hdfslocalcache.replay.trace.StatTrace.MINUTE;
import static org.junit.Assert.assertEquals;

import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.TraceStat.TopShare;
import org.junit.Test;

/** Hours, and how much of their reads goes to the blocks read most. */
public class TestTopShare {

  private static final double NEAR = 1e-9;

  private static void assertReads(double all, int hours, TopShare top) {
    assertEquals("all", all, top.reads(), NEAR);
    assertEquals("hours", hours, top.hours());
  }

  /** 9 of 10 reads, then 1 of 2, and something at the end of the second hour. */
  private static StatTrace twoHours() {
    return new StatTrace().reads(9, 0, 1, 10).reads(1, 10, 2, 10)
        .reads(1, HOUR, 3, 10).reads(1, HOUR + 1, 4, 10);
  }

  @Test
  public void hours_areTakenTogether() throws TraceException {
    assertReads(10 / 12.0, 2,
        twoHours().add(Op.WRITE, 2 * HOUR, 9, 1).top(1));
  }

  @Test
  public void lastHour_notFull_isLeftOut() throws TraceException {
    assertReads(0.9, 1, twoHours().top(1));
  }

  @Test
  public void lastHour_fullButForLessThanAMinute_counts() throws TraceException {
    assertReads(10 / 12.0, 2,
        twoHours().add(Op.WRITE, 2 * HOUR - MINUTE + 1, 9, 1).top(1));
    assertReads(0.9, 1, twoHours().add(Op.WRITE, 2 * HOUR - MINUTE, 9, 1).top(1));
  }

  @Test
  public void onlyHour_notFull_counts() throws TraceException {
    assertReads(0.75, 1, new StatTrace().reads(3, 0, 1, 1).reads(1, 5, 2, 1).top(1));
  }

  @Test
  public void hourWithoutReads_isNoHourOfZero() throws TraceException {
    assertReads(1, 2, new StatTrace().reads(2, 0, 1, 1).add(Op.WRITE, HOUR, 2, 1)
        .reads(2, 2 * HOUR, 1, 1).add(Op.WRITE, 3 * HOUR, 2, 1).top(1));
  }

  /**
   * The host had a wrong clock when the first read was traced. There are so many blocks that
   * counting them for each hour between would take far longer.
   */
  @Test(timeout = 60_000)
  public void readsOfTwoCenturies_areCountedInTheirHours() throws TraceException {
    StatTrace trace = new StatTrace().reads(1, 0, 1, 1)
        .reads(2, 2_000_000 * HOUR, 1, 1).reads(1, 2_000_000 * HOUR + 3, 2, 1)
        .add(Op.WRITE, 2_000_001 * HOUR, 2, 1);
    for (int block = 3; block < 50_000; block++) {
      trace.add(Op.WRITE, 0, block, 1);
    }
    assertReads(0.75, 2, trace.top(1));
  }

  @Test
  public void moreTopBlocksThanBlocks_isAll() throws TraceException {
    assertReads(1, 1, new StatTrace().reads(3, 0, 1, 1).reads(1, 5, 2, 1).top(10_000));
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertEquals;

import java.util.List;

import io.hdfslocalcache.replay.operator.ClusterCounters.Counted;
import org.junit.Test;

/** Each number of the table, and its ratio. */
public class TestFigure {

  /** A histogram keeps three digits. */
  private static final double DIGITS = 0.001;

  private static Figure figure(String key) {
    return Figure.ALL.stream().filter(figure -> figure.key().equals(key)).findFirst()
        .orElseThrow(() -> new AssertionError("no figure " + key));
  }

  private static String text(String key, Phase phase) {
    return figure(key).text(phase);
  }

  private static void assertMillis(double expected, String key, Phase phase) {
    assertEquals(key, expected, figure(key).of(phase), expected * DIGITS);
  }

  private static String ratio(String key, PhaseMaker first, PhaseMaker second) {
    return figure(key).ratio(first.phase("off"), second.phase("on"));
  }

  /** Four readers begin together and wait for 1, 2, 3 and 4 seconds. */
  private static PhaseMaker fourReads() {
    return new PhaseMaker().read(0, 1, 1).read(0, 2, 2).read(0, 3, 3).read(0, 4, 4);
  }

  @Test
  public void amounts_areOfAllReads() {
    Phase phase = fourReads().phase("on");
    assertEquals("4", text("reads", phase));
    assertEquals("10.0", text("megabytes", phase));
    assertEquals("4.0", text("seconds", phase));
    assertEquals("10 MB in 4 s", "2.5", text("throughput_mb_per_s", phase));
    assertEquals("1.0", text("reads_per_s", phase));
  }

  @Test
  public void waits_areAddedUpOverReaders() {
    Phase phase = fourReads().phase("on");
    assertEquals("10.0", text("waited_seconds", phase));
    assertEquals("10 s waited in 4 s", "2.50", text("waiting_mean", phase));
    assertMillis(2500, "latency_ms_mean", phase);
  }

  @Test
  public void percentiles_rareSlowReads_areSeenWhereTheyBelong() {
    PhaseMaker maker = new PhaseMaker();
    for (int i = 0; i < 998; i++) {
      maker.read(i, i + (i < 600 ? 0.001 : 0.002), 0);
    }
    Phase phase = maker.read(998, 998.1, 0).read(999, 1001, 0).phase("on");
    assertMillis(1, "latency_ms_p50", phase);
    assertMillis(2, "latency_ms_p90", phase);
    assertMillis(2, "latency_ms_p99", phase);
    assertMillis(100, "latency_ms_p99.9", phase);
    assertMillis(2000, "latency_ms_max", phase);
  }

  @Test
  public void lateAndFailed_areCounted_andTheLatestIsNamed() {
    Phase phase = fourReads().late(120).late(1500).late(101).failed(2).phase("on");
    assertEquals("3", text("late", phase));
    assertEquals("1,500", text("latest_ms", phase));
    assertEquals("2", text("failed", phase));
    assertEquals("those that failed are not among the reads", "4", text("reads", phase));
  }

  @Test
  public void warmUp_isInNoFigure() {
    Phase cold = new PhaseMaker().warmedUp(0, 10).read(10, 11, 1).phase("on");
    Phase warm = new PhaseMaker().read(10, 11, 1).phase("on");
    for (Figure figure : Figure.ALL) {
      assertEquals(figure.key(), figure.text(warm), figure.text(cold));
    }
  }

  @Test
  public void everyReadFailed_latencyIsUnknown_notZero() {
    Phase phase = new PhaseMaker().failed(5).phase("on");
    for (Figure figure : Figure.ALL) {
      if (figure.key().startsWith("latency_ms_")) {
        assertEquals(figure.key(), "-", figure.text(phase));
      }
    }
    assertEquals("0", text("reads", phase));
    assertEquals("5", text("failed", phase));
    assertEquals("-", text("throughput_mb_per_s", phase));
    assertEquals("-", ratio("latency_ms_p50", fourReads(), new PhaseMaker().failed(5)));
  }

  @Test
  public void readsWithoutTime_haveNoRate() {
    Phase phase = new PhaseMaker().read(1, 1, 1).phase("on");
    assertEquals("-", text("throughput_mb_per_s", phase));
    assertEquals("-", text("reads_per_s", phase));
    assertEquals("-", text("waiting_mean", phase));
    assertEquals("1", text("reads", phase));
  }

  @Test
  public void ratio_isTheSecondByTheFirst() {
    PhaseMaker off = new PhaseMaker().read(0, 4, 8);
    PhaseMaker on = new PhaseMaker().read(0, 1, 8);
    assertEquals("4.000", ratio("throughput_mb_per_s", off, on));
    assertEquals("0.250", ratio("waited_seconds", off, on));
    assertEquals("1.000", ratio("reads", off, on));
  }

  @Test
  public void ratio_nothingToCompareWith_isAHyphen() {
    assertEquals("0 by 0", "-", ratio("late", fourReads(), fourReads()));
    assertEquals("1 by 0", "-", ratio("failed", fourReads(), fourReads().failed(1)));
    assertEquals("0 by 1", "0.000", ratio("failed", fourReads().failed(1), fourReads()));
    assertEquals("unknown", "-", ratio("offload_percent", fourReads(), fourReads()));
  }

  @Test
  public void offload_unknownOrNothingRead_isAHyphen() {
    for (Counted counted : List.of(PhaseMaker.UNKNOWN, PhaseMaker.counted(0, 0))) {
      assertEquals("-", text("offload_percent", fourReads().phase("on", counted)));
      assertEquals("-", text("reuse_percent", fourReads().phase("on", counted)));
    }
    Phase known = fourReads().phase("on", PhaseMaker.counted(3, 1));
    assertEquals("75.0", text("offload_percent", known));
    assertEquals("25.0", text("reuse_percent", known));
  }
}

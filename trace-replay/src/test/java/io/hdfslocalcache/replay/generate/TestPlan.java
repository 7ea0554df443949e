/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import io.hdfslocalcache.replay.generate.Plan.Host;
import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.generate.Plan.Rhythm;
import io.hdfslocalcache.replay.generate.Plan.Sink;
import io.hdfslocalcache.replay.generate.Plan.SizeMix;
import org.junit.Test;

/** The reads before they are written down: when, of which block, by which session. */
public class TestPlan {

  private static final int BLOCKS = 120;
  private static final long DAY = 24 * Plans.HOUR;

  /** A read that was made up. */
  private record Read(long millis, int block, int part, int session) {
    boolean isScan() {
      return part != Sink.ANY_PART;
    }
  }

  private static List<Read> reads(Plan plan, double exponent) {
    List<Read> reads = new ArrayList<>();
    plan.forEachRead(BLOCKS, exponent, (millis, block, part, session) ->
        reads.add(new Read(millis, block, part, session)));
    return reads;
  }

  @Test
  public void reads_areAsManyAsTheHosts_withTheShareOfScans_inTime() {
    for (Kind kind : Kind.values()) {
      List<Read> reads = reads(Plans.plan(kind, 1), 1);
      assertEquals(kind + "", Plans.HOST.reads(), reads.size());
      assertEquals(kind + "", Math.round(Plans.HOST.reads() * 0.002),
          reads.stream().filter(Read::isScan).count());
      for (Read read : reads) {
        assertTrue(read.toString(), read.millis >= 0 && read.millis < Plan.SPAN_MILLIS);
        assertTrue(read.toString(), read.block >= 0 && read.block < BLOCKS);
      }
    }
  }

  @Test
  public void churn_aSession_isOneBlockWithinMinutes_andSoManyReads() {
    List<Read> reads = reads(Plans.plan(Kind.CHURN, 1), 0.9).stream()
        .filter(read -> !read.isScan()).toList();
    Map<Integer, Read> firsts = new HashMap<>();
    for (Read read : reads) {
      Read first = firsts.putIfAbsent(read.session, read);
      assertEquals(read.toString(), (first == null ? read : first).block, read.block);
      assertTrue(read.toString(),
          first == null || read.millis - first.millis < 10 * 60_000);
    }
    assertEquals("reads of a session", 8, (double) reads.size() / firsts.size(), 0.5);
  }

  @Test
  public void scan_readsBlocksFromBeginningToEnd_oneAfterTheOther() {
    List<Read> scan = reads(
        new Plan(Host.UBER.get(0).scaled(0.01), Kind.IRM, SizeMix.SMALL, 1), 1).stream()
        .filter(read -> read.isScan() && read.session == 0).toList();
    assertEquals("two blocks", 2 * Plan.SCAN_READS, scan.size());
    for (int i = 0; i < scan.size(); i++) {
      assertEquals(i % Plan.SCAN_READS, scan.get(i).part);
      assertEquals((scan.get(0).block + i / Plan.SCAN_READS) % BLOCKS, scan.get(i).block);
      assertTrue(i == 0 || scan.get(i).millis >= scan.get(i - 1).millis);
    }
  }

  private static void assertQuantiles(SizeMix sizes, double[] shares, double[] kilobytes) {
    SplittableRandom random = new SplittableRandom(1);
    long[] drawn = new long[100_000];
    for (int i = 0; i < drawn.length; i++) {
      drawn[i] = sizes.draw(random);
    }
    Arrays.sort(drawn);
    for (int i = 0; i < shares.length; i++) {
      double expected = kilobytes[i] * 1024;
      assertEquals(sizes + " " + shares[i], expected,
          drawn[(int) Math.min(drawn.length - 1, shares[i] * drawn.length)], 0.05 * expected);
    }
  }

  @Test
  public void sizes_haveTheSharesThatArePromised() {
    assertQuantiles(SizeMix.SMALL, new double[] {0, 0.30, 0.55, 0.75, 0.93, 1},
        new double[] {0.2, 2, 10, 100, 1024, 8192});
    assertQuantiles(SizeMix.LARGE, new double[] {0, 0.25, 0.5, 0.8, 0.95},
        new double[] {4, 512, 2048, 2560, 8192});
  }

  @Test
  public void rhythm_withoutSwing_isEven() {
    Rhythm rhythm = new Rhythm(DAY, 0);
    for (double share : new double[] {0, 0.25, 0.5, 0.999}) {
      assertEquals(share * DAY, rhythm.millis(share), 1);
    }
  }

  @Test
  public void rhythm_withSwing_quietAtMidnightBusyAtNoon() {
    Rhythm rhythm = new Rhythm(DAY, 0.5);
    // The share that has come until a time of day: t - swing / 2 pi * sin(2 pi t).
    double atSix = 0.25 - 0.5 / (2 * Math.PI);
    assertEquals(DAY / 4, rhythm.millis(atSix), DAY / 2000.0);
    assertEquals("noon", DAY / 2, rhythm.millis(0.5), DAY / 2000.0);
    assertEquals("never after the end", DAY - 1, rhythm.millis(Math.nextDown(1.0)), DAY / 2000.0);
    assertTrue(rhythm.millis(Math.nextDown(1.0)) < DAY);
  }

  @Test
  public void scaled_host_hasAPartOfAllButTheSizes() {
    Host host = new Host("h", 1000, 200, 100, 1 << 20, 50, 0.9);
    assertEquals(new Host("h", 500, 100, 50, 1 << 20, 25, 0.9), host.scaled(0.5));
    assertEquals(new Host("h", 2000, 400, 200, 1 << 20, 100, 0.9), host.scaled(2));
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import static io.hdfslocalcache.replay.generate.Plans.generate;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import io.hdfslocalcache.replay.generate.Plan.Host;
import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.generate.Plan.SizeMix;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Access;
import io.hdfslocalcache.replay.trace.TraceException;
import io.hdfslocalcache.replay.trace.TraceStat;
import org.junit.Test;

/** Small hosts: generated traces have the requested numbers. */
public class TestGenerator {

  private static final double SCALE = 0.02;
  /** Of a host whose blocks have 380 MB on average. */
  private static final long FULL_BLOCK = 512 << 20;

  private static void assertNear(String what, double expected, double actual, double part) {
    assertEquals(what, expected, actual, Math.abs(expected) * part);
  }

  @Test
  public void generate_eachHostAndKind_hasTheNumbersOfItsRow() throws Exception {
    for (Host uber : Host.UBER) {
      Host host = uber.scaled(SCALE);
      for (Kind kind : Kind.values()) {
        TraceStat stat = TraceStat.of(generate(new Plan(host, kind, SizeMix.SMALL, 1)), host.top());
        String what = host.name() + " " + kind;
        assertEquals(what, host.reads(), stat.reads());
        assertEquals(what, host.writes(), stat.writes());
        assertNear(what, host.blocksRead(), stat.blocksRead(), 0.02);
        // The mean of so few blocks varies.
        assertNear(what, host.averageBlockBytes(), stat.averageBlockBytes(), 0.05);
        assertEquals(what, host.topShare(), stat.top().reads(), 0.02);
        assertEquals(what, 20, stat.hours(), 0.1);
      }
    }
  }

  @Test
  public void generate_churn_hotSetDriftsAndThatOfIrmDoesNot() throws Exception {
    Host host = Host.UBER.get(0).scaled(SCALE);
    double irm = blocksInFirstHour(generate(new Plan(host, Kind.IRM, SizeMix.SMALL, 1)));
    double churn = blocksInFirstHour(generate(new Plan(host, Kind.CHURN, SizeMix.SMALL, 1)));
    // Of the reads of the last hour, those of blocks that were read in the first.
    assertTrue("irm " + irm, irm > 0.9);
    assertTrue("churn " + churn, churn < 0.8);
  }

  private static double blocksInFirstHour(Trace trace) {
    boolean[] known = new boolean[trace.replicas().size()];
    long last = trace.startMillis() + trace.spanMillis() - 3_600_000;
    int reads = 0;
    int ofKnown = 0;
    for (Access access : trace.accesses()) {
      if (access.isRead() && access.timeMillis() < trace.startMillis() + 3_600_000) {
        known[access.replica()] = true;
      } else if (access.isRead() && access.timeMillis() >= last) {
        reads++;
        ofKnown += known[access.replica()] ? 1 : 0;
      }
    }
    return (double) ofKnown / reads;
  }

  @Test
  public void generate_numbersThatCannotBe_fails() {
    Host host = new Host("odd", 1000, 0, 900, 100 << 20, 10, 0.999);
    TraceException e = assertThrows(TraceException.class,
        () -> generate(new Plan(host, Kind.IRM, SizeMix.SMALL, 1)));
    assertTrue(e.getMessage(), e.getMessage().startsWith(
        "no irm trace found with the numbers of odd; the last had "));
  }

  @Test
  public void generate_sameSeed_isTheSameReadByRead_andAnotherIsNot() throws Exception {
    for (Kind kind : Kind.values()) {
      Trace first = generate(Plans.plan(kind, 1));
      Trace again = generate(Plans.plan(kind, 1));
      assertEquals(first.accesses(), again.accesses());
      assertEquals(first.replicas(), again.replicas());
      assertEquals(first.readers(), again.readers());
      assertArrayEquals(first.replicaBytes(), again.replicaBytes());
      assertNotEquals(first.accesses(), generate(Plans.plan(kind, 2)).accesses());
    }
  }

  @Test
  public void generate_reads_haveBytes_withinAFullBlock_andTheTime() throws Exception {
    for (Kind kind : Kind.values()) {
      Trace trace = generate(Plans.plan(kind, 1));
      assertTrue(trace.spanMillis() < Plan.SPAN_MILLIS);
      for (Access access : trace.accesses()) {
        assertTrue(access.toString(), access.length() > 0 && access.offset() >= 0
            && access.offset() + access.length() <= FULL_BLOCK);
      }
    }
  }
}

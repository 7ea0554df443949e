/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.trace.Trace;
import org.junit.Test;

/** The queues of HDDs, played by hand. */
public class TestDiskMeter {

  private static final double NEAR = 1e-6;
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  /** A visit takes 10 ms, whatever it reads. */
  private static final Disk DISK = new Disk(10, Double.POSITIVE_INFINITY, 1);
  /** A visit takes a minute. */
  private static final Disk SLOW = new Disk(MINUTE, Double.POSITIVE_INFINITY, 1);

  private static DiskLoad load(Traces traces, Disk disk) throws Exception {
    return DiskLoad.withoutLocalCache(PageTrace.of(traces.build(), Traces.PAGE), disk);
  }

  private static Traces reads(long... millis) {
    Traces traces = new Traces();
    for (int i = 0; i < millis.length; i++) {
      traces.read(millis[i], i, 1, 0, 100);
    }
    return traces;
  }

  @Test
  public void load_visitsAtATime_eachWaitsForThoseBefore() throws Exception {
    DiskLoad load = load(reads(0, 0, 5, 100), DISK);
    assertEquals(4, load.visits());
    assertEquals(0.040, load.seconds(), NEAR);
    assertEquals((10 + 20 + 25 + 10) / 4.0, load.meanWaitMillis(), NEAR);
    assertEquals(25, load.p99WaitMillis(), 0.3);
  }

  @Test
  public void load_twoDisks_blocksAreOnThemInTurn() throws Exception {
    DiskLoad load = load(reads(0, 0, 0, 0), new Disk(10, Double.POSITIVE_INFINITY, 2));
    assertEquals((10 + 10 + 20 + 20) / 4.0, load.meanWaitMillis(), NEAR);
  }

  @Test
  public void load_bytes_takeTimeToo() throws Exception {
    assertEquals(0.010 + 100 / 1e6, load(reads(0), new Disk(10, 1e6, 1)).seconds(), NEAR);
  }

  @Test
  public void load_peak_isOfTenMinutesAfterTheFirstHour() throws Exception {
    assertEquals(0.030, load(reads(0, 1, 2), DISK).peakSeconds(), NEAR);
    assertEquals(0.020, load(
        reads(0, 1, 2, HOUR, HOUR + 10 * MINUTE - 1, HOUR + 10 * MINUTE), DISK).peakSeconds(), NEAR);
  }

  @Test
  public void load_hours_ofTheReadsThatBegan() throws Exception {
    DiskLoad load = load(reads(0, HOUR - 1, HOUR, 2 * HOUR + MINUTE), DISK);
    assertArrayEquals(new double[] {0.020, 0.020}, load.hourSeconds(), NEAR);
  }

  @Test
  public void load_noBacklog_reliefIsAtOnce() throws Exception {
    DiskLoad load = load(reads(0, HOUR), DISK);
    assertEquals(0, load.reliefMinutes());
  }

  @Test
  public void load_backlogs_reliefIsThatOfTheLongest() throws Exception {
    // Busy from 5:00 to 6:40, from 10:00 to 12:30, and twice for less than a minute.
    DiskLoad load = load(reads(0, 5 * MINUTE, 5 * MINUTE, 10 * MINUTE, 10 * MINUTE + 1,
        10 * MINUTE + 2, HOUR), new Disk(50_000, Double.POSITIVE_INFINITY, 1));
    assertEquals(3, load.reliefMinutes());
    assertEquals("3", load.relief());
  }

  @Test
  public void load_backlogAtTheEnd_isNeverGone() throws Exception {
    DiskLoad load = load(reads(0, 1, 2, 2 * MINUTE), SLOW);
    assertEquals(DiskLoad.NEVER, load.reliefMinutes());
    assertEquals("never", load.relief());
  }

  @Test
  public void withLoad_tooMuch_diskFallsBehindByThat() throws Exception {
    Trace trace = Traces.generated(Kind.IRM);
    PageTrace pages = PageTrace.of(trace, 1 << 20);
    DiskLoad load = DiskLoad.withoutLocalCache(
        pages, new Disk(11.5, 143e6, 1).withLoad(trace, 1.5));
    assertEquals(1.5 * trace.spanMillis() / 1000, load.seconds(), 1e-3 * load.seconds());
    assertEquals(DiskLoad.NEVER, load.reliefMinutes());
    // The backlog of the disk at the end is half of the trace's time.
    assertEquals(0.5 * trace.spanMillis(), load.p99WaitMillis(), 0.02 * trace.spanMillis());
    DiskLoad half = DiskLoad.withoutLocalCache(
        pages, new Disk(11.5, 143e6, 1).withLoad(trace, 0.5));
    assertTrue(half.meanWaitMillis() < 0.01 * load.meanWaitMillis());
  }
}

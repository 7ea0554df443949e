/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.TimeUnit;

import org.junit.Test;

/** How much was written to an SSD, and how long the SSD lasts. */
public class TestSsdWear {
  private static final long GB = 1 << 30;

  private long nanos = Long.MAX_VALUE - TimeUnit.HOURS.toNanos(2);
  private long device = 1000 * GB;

  @Test
  public void restored_countsOn_andIsNoWriteOfToday() {
    SsdWear wear = open();
    wear.setEndurance(100 * GB);
    write(wear, GB);
    // Read from the SSD after the first pages have already been written.
    wear.restore(31 * GB);
    assertEquals(31 * GB, wear.report().writtenBytes());
    pass(wear);
    assertEquals("of one GB in an hour", (100 - 31) / 24, wear.report().lifeDays());
    write(wear, GB);
    wear.restore(32 * GB);
    assertEquals("the same SSD, found once more", 32 * GB, wear.report().writtenBytes());
  }

  @Test
  public void life_isByTheLastDay_andNotBeforeAnHour() {
    SsdWear wear = open();
    wear.setEndurance(100_000 * GB);
    // The first day, with the filling of the empty SSD.
    for (int hour = 0; hour < 24; hour++) {
      assertEquals("hour " + hour, hour == 0, wear.report().lifeDays() == SsdWear.UNKNOWN);
      write(wear, 1000 * GB);
      pass(wear);
    }
    assertEquals((100_000 - 24_000) / 24_000, wear.report().lifeDays());
    for (int hour = 0; hour < 24; hour++) {
      write(wear, GB);
      pass(wear);
    }
    assertEquals((100_000 - 24_024) / 24, wear.report().lifeDays());
  }

  @Test
  public void othersOnTheDevice_wearItToo() {
    SsdWear wear = open();
    wear.setEndurance(10_000 * GB);
    write(wear, 10 * GB);
    device += 30 * GB;
    pass(wear);
    SsdWear.Report report = wear.report();
    assertEquals(10 * GB, report.writtenBytes());
    assertEquals(30 * GB, report.othersBytes());
    assertEquals((10_000 - 40) / (40 * 24), report.lifeDays());
  }

  @Test
  public void enduranceSpent_noDayIsLeft_nothingWritten_isNotKnown() {
    SsdWear wear = open();
    pass(wear);
    wear.setEndurance(GB);
    assertEquals(SsdWear.UNKNOWN, wear.report().lifeDays());
    write(wear, 2 * GB);
    assertEquals(0, wear.report().lifeDays());
    wear.setEndurance(0);
    assertEquals(SsdWear.UNKNOWN, wear.report().lifeDays());
  }

  @Test
  public void deviceThatIsNotCounted_hasNoOthers() {
    device = SsdWear.UNKNOWN;
    SsdWear wear = open();
    write(wear, GB);
    device = SsdWear.UNKNOWN;
    assertEquals(SsdWear.UNKNOWN, wear.report().othersBytes());
    assertEquals(GB, wear.report().writtenBytes());
  }

  private void write(SsdWear wear, long bytes) {
    wear.wrote(bytes);
    device += bytes;
  }

  private void pass(SsdWear wear) {
    nanos += TimeUnit.HOURS.toNanos(1);
    wear.sample();
  }

  private SsdWear open() {
    return new SsdWear(() -> device, () -> nanos);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import org.junit.Test;

public class TestSsdHealth {

  private static final IOException EIO = new IOException("Input/output error");
  private static final IOException DAMAGED = new DamagedPageException("wrong bytes", null);

  private final List<String> changes = new ArrayList<>();
  private long millis = 1_000_000;
  private long volumesMillis;
  private final SsdHealth health = new SsdHealth(
      new HealthLimits(TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(10)),
      () -> TimeUnit.MILLISECONDS.toNanos(millis), () -> millis(volumesMillis),
      (before, now, reason) -> changes.add(before + ">" + now));

  private void fail(Operation operation, IOException error, int times) {
    for (int i = 0; i < times; i++) {
      health.failed(operation, error);
    }
  }

  private void assertState(SsdState state) {
    assertEquals(state, health.state());
    assertEquals(state.isReadable(), health.mayRead());
    assertEquals(state.isFillable(), health.mayFill());
  }

  @Test
  public void failed_fewReadErrors_staysNormal() {
    fail(Operation.PAGE_READ, EIO, HealthLimits.READ_ERRORS - 1);
    assertState(SsdState.NORMAL);
    assertEquals("", health.reason());
  }

  @Test
  public void failed_manyReadErrors_isDownAndSaysWhy() {
    fail(Operation.PAGE_READ, EIO, HealthLimits.READ_ERRORS);
    assertState(SsdState.DOWN);
    assertTrue(health.reason(), health.reason().contains("Input/output error"));
    assertEquals(List.of("NORMAL>DOWN"), changes);
  }

  @Test
  public void failed_errorsFarApart_staysNormal() {
    for (int i = 0; i < 100; i++) {
      fail(Operation.PAGE_READ, EIO, 1);
      millis += 3000;
    }
    assertState(SsdState.NORMAL);
  }

  @Test
  public void failed_writeErrors_readsGoOnAndFillsStop() {
    fail(Operation.PAGE_WRITE, new IOException("Read-only file system"), HealthLimits.WRITE_ERRORS);
    assertState(SsdState.DEGRADED);
    assertTrue(health.mayRead());
    assertFalse(health.mayFill());
  }

  @Test
  public void failed_diskFull_isNoFaultOfTheSsd() {
    fail(Operation.PAGE_WRITE, new IOException("No space left on device"), 1000);
    assertState(SsdState.NORMAL);
  }

  @Test
  public void failed_interruptsAndBugs_areNoFaultsOfTheSsd() {
    fail(Operation.PAGE_READ, new ClosedByInterruptException(), 1000);
    for (int i = 0; i < 1000; i++) {
      health.failed(Operation.PAGE_READ, new IllegalStateException("a bug"));
    }
    assertState(SsdState.NORMAL);
  }

  @Test
  public void failed_whatTheProcessLacks_isNoFaultOfTheSsd() {
    fail(Operation.PAGE_READ, new IOException("Too many open files"), 1000);
    fail(Operation.PAGE_WRITE, new IOException("Cannot allocate memory"), 1000);
    fail(Operation.PAGE_READ, new IOException(new OutOfMemoryError("thrown by a test")), 1000);
    assertState(SsdState.NORMAL);
  }

  @Test
  public void hung_nobodyCanBeTold_isDownAllTheSame() {
    SsdHealth untold = new SsdHealth(new HealthLimits(1, 1), () -> 0, () -> 0, (before, now, reason) -> {
      throw new OutOfMemoryError("thrown by a test");
    });
    untold.hung(Operation.PAGE_READ, 1);
    assertEquals(SsdState.DOWN, untold.state());
  }

  @Test
  public void failed_damagedPages_fewAreToleratedAndManyAreNot() {
    fail(Operation.PAGE_READ, DAMAGED, HealthLimits.DAMAGED_PAGES - 1);
    assertState(SsdState.NORMAL);
    fail(Operation.PAGE_READ, DAMAGED, 1);
    assertState(SsdState.DOWN);
  }

  @Test
  public void readTook_slowOnAverage_noFillsForAMomentThenDown() {
    for (int i = 0; i < HealthLimits.LATENCY_SAMPLES; i++) {
      assertFalse(health.isSlow());
      health.readTook(0, TimeUnit.MILLISECONDS.toNanos(150), 1);
    }
    assertState(SsdState.NORMAL);
    assertEquals("busy: a read takes 150 ms on average", health.reason());
    assertTrue(health.isSlow());
    millis += 1000;
    assertFalse("the next reads decide", health.isSlow());
    for (int i = 0; i < 4 * HealthLimits.LATENCY_SAMPLES; i++) {
      health.readTook(0, TimeUnit.MILLISECONDS.toNanos(400), 1);
    }
    assertState(SsdState.DOWN);
  }

  @Test
  public void readTook_dataVolumesAreAsBusy_isNotSlow() {
    volumesMillis = 250;
    readsTake(10 * HealthLimits.LATENCY_SAMPLES, 0, 400, 1);
    assertState(SsdState.NORMAL);
    volumesMillis = 150;
    readsTake(1, 0, 400, 1);
    assertState(SsdState.DOWN);
  }

  @Test
  public void readTook_oneSlowReadAmongMany_staysNormal() {
    for (int i = 0; i < 10_000; i++) {
      health.readTook(0, i % 100 == 0 ? TimeUnit.MILLISECONDS.toNanos(900) : 100_000, 1);
    }
    assertState(SsdState.NORMAL);
  }

  /** At 2,000 reads a second, an int that counts each overflows in twelve days. */
  @Test
  public void readTook_slowAfterTwoBillionReads_isDown() {
    health.reads = Integer.MAX_VALUE - 1;
    readsTake(4 * HealthLimits.LATENCY_SAMPLES, 0, 400, 1);
    assertState(SsdState.DOWN);
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void readsTake(int reads, long queueMillis, long millis, int atOnce) {
    for (int i = 0; i < reads; i++) {
      health.readTook(millis(queueMillis), millis(millis), atOnce);
    }
  }

  @Test
  public void overdrawn_slowerThanTheDataVolume_isDownAtOnce() {
    readsTake(10_000, 0, 0, 1);
    readsTake(1, 0, 860, 1);
    assertState(SsdState.NORMAL);
    health.overdrawn(millis(10));
    assertState(SsdState.DOWN);
    assertEquals("a read takes 107 ms on average, 18 ms from the data volume", health.reason());
  }

  @Test
  public void overdrawn_fasterThanABusyDataVolume_isRead() {
    readsTake(20, 0, 53, 1);
    health.overdrawn(millis(800));
    assertState(SsdState.NORMAL);
    assertEquals("", health.reason());
    health.overdrawn(millis(10));
    assertState(SsdState.DOWN);
  }

  @Test
  public void overdrawn_manyReadersWait_isBusyForAMinuteAndNotSick() {
    readsTake(100, 900, 60, 32);
    health.overdrawn(millis(10));
    assertState(SsdState.NORMAL);
    assertEquals("busy: a read waits 900 ms for others and takes 60 ms", health.reason());
    assertEquals(List.of(), changes);
    millis += 60_000;
    assertEquals("busy: a read waits 900 ms for others and takes 60 ms", health.reason());
    millis++;
    assertEquals("", health.reason());
  }

  @Test
  public void overdrawn_somethingElseTookTheTime_isNothing() {
    readsTake(100, 1, 2, 3);
    health.overdrawn(millis(10));
    assertState(SsdState.NORMAL);
    assertEquals("", health.reason());
  }

  @Test
  public void probes_asSlowAsBefore_failUntilTheyAreFast() {
    readsTake(10, 0, 53, 1);
    health.overdrawn(millis(10));
    health.probeSucceeded(millis(10));
    assertState(SsdState.PROBING);
    health.probeSucceeded(millis(53));
    assertState(SsdState.DOWN);
    assertEquals("probe: a read takes 53 ms", health.reason());
    for (int i = 0; i < HealthLimits.GOOD_PROBES; i++) {
      health.probeSucceeded(millis(18));
    }
    assertState(SsdState.NORMAL);
    health.overdrawn(millis(10));
    assertState(SsdState.NORMAL);
  }

  @Test
  public void lost_isDownAlready_onlyTheReasonChanges() {
    health.lost("directory is gone");
    health.lost("not mounted");
    assertState(SsdState.DOWN);
    assertEquals("not mounted", health.reason());
    assertEquals(List.of("NORMAL>DOWN"), changes);
  }

  @Test
  public void hung_atOnce_isDown() {
    health.hung(Operation.PAGE_READ, TimeUnit.SECONDS.toNanos(1));
    assertState(SsdState.DOWN);
    assertEquals("does not answer: PageRead for 1000 ms", health.reason());
  }

  @Test
  public void probes_severalInARow_makeItNormalAgain() {
    health.hung(Operation.PAGE_READ, 1);
    health.probeSucceeded(1);
    assertState(SsdState.PROBING);
    health.probeSucceeded(1);
    assertState(SsdState.PROBING);
    health.probeSucceeded(1);
    assertState(SsdState.NORMAL);
    assertEquals("", health.reason());
    fail(Operation.PAGE_READ, EIO, HealthLimits.READ_ERRORS - 1);
    assertState(SsdState.NORMAL);
  }

  @Test
  public void probes_oneFails_beginFromTheStart() {
    health.hung(Operation.PAGE_READ, 1);
    health.probeSucceeded(1);
    health.probeSucceeded(1);
    health.probeFailed("still sick");
    assertState(SsdState.DOWN);
    assertEquals("probe: still sick", health.reason());
    health.probeSucceeded(1);
    health.probeSucceeded(1);
    assertState(SsdState.PROBING);
  }

  @Test
  public void probes_ofAReadOnlySsd_failAndReadsGoOn() {
    fail(Operation.PAGE_WRITE, EIO, HealthLimits.WRITE_ERRORS);
    health.probeFailed("Read-only file system");
    assertState(SsdState.DEGRADED);
    for (int i = 0; i < HealthLimits.GOOD_PROBES; i++) {
      health.probeSucceeded(1);
    }
    assertState(SsdState.NORMAL);
  }

  @Test
  public void isProbeDue_onlyWhenNotNormal_onceAnInterval() {
    assertFalse(health.isProbeDue());
    health.hung(Operation.PAGE_READ, 1);
    assertFalse("it has just failed", health.isProbeDue());
    millis += 10_000;
    assertTrue(health.isProbeDue());
    assertFalse(health.isProbeDue());
    millis += 9_999;
    assertFalse(health.isProbeDue());
    millis += 1;
    assertTrue(health.isProbeDue());
  }

  @Test
  public void worse_neverImprovesTheState() {
    health.hung(Operation.PAGE_READ, 1);
    fail(Operation.PAGE_WRITE, EIO, 100);
    assertState(SsdState.DOWN);
    health.probeSucceeded(1);
    fail(Operation.PAGE_WRITE, EIO, 100);
    assertState(SsdState.PROBING);
    health.hung(Operation.PAGE_WRITE, 1);
    assertState(SsdState.DOWN);
  }
}

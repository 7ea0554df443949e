/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.config.FillRates;
import org.junit.Test;

/** Fills of 1 MiB at 100 and 10 MiB per second; time passes while one waits, and only then. */
public class TestFillPace {

  private static final long MB = 1 << 20;
  private static final FillRates RATES = new FillRates(100 * MB, 10 * MB);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
  private final AtomicBoolean busy = new AtomicBoolean();
  private long longestWait;
  private Runnable whileWaiting = () -> { };

  private FillPace pace(FillRates rates) {
    return new FillPace(rates, busy::get, nanos::get, this::pass);
  }

  private void pass(long waited) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    assertTrue("waits for nothing", waited > 0);
    longestWait = Math.max(longestWait, waited);
    nanos.addAndGet(waited);
    whileWaiting.run();
  }

  /** @return the milliseconds that so many pages took. */
  private long fill(FillPace pace, int pages, boolean isOrdered) throws InterruptedException {
    long begin = nanos.get();
    for (int page = 0; page < pages; page++) {
      pace.await(MB, isOrdered);
    }
    return TimeUnit.NANOSECONDS.toMillis(nanos.get() - begin);
  }

  @Test
  public void await_readersAreIdle_keepsTheRateOfAllTimes() throws Exception {
    assertEquals(990, fill(pace(RATES), 100, false), 2);
  }

  @Test
  public void await_readersAreBusy_keepsTheLowerRate() throws Exception {
    busy.set(true);
    assertEquals(1900, fill(pace(RATES), 20, false), 2);
  }

  @Test
  public void await_ordered_doesNotWaitForReaders() throws Exception {
    busy.set(true);
    assertEquals(990, fill(pace(RATES), 100, true), 2);
  }

  @Test
  public void await_noLimits_doesNotWait() throws Exception {
    busy.set(true);
    assertEquals(0, fill(pace(new FillRates(0, 0)), 1000, false));
  }

  @Test
  public void await_readersEndMeanwhile_goesOnSoon() throws Exception {
    busy.set(true);
    FillPace pace = pace(RATES);
    pace.await(64 * MB, false);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    whileWaiting = () -> busy.set(false);
    // 5.4 s are owed at the lower rate.
    assertTrue(fill(pace, 1, false) <= 50);
  }

  @Test
  public void await_pageLargerThanTheRate_passesAndIsPaidBack() throws Exception {
    FillPace pace = pace(RATES);
    pace.await(200 * MB, false);
    assertEquals(2000, fill(pace, 1, false), 2);
  }

  @Test
  public void await_nothingWasFilledForLong_noMoreThanAMomentIsCaughtUp() throws Exception {
    FillPace pace = pace(RATES);
    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    assertEquals(890, fill(pace, 100, false), 2);
  }

  @Test
  public void await_interrupted_ends() {
    busy.set(true);
    FillPace pace = pace(RATES);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> fill(pace, 2, false));
  }

  @Test
  public void await_longWait_isCutIntoPieces() throws Exception {
    busy.set(true);
    fill(pace(RATES), 3, false);
    assertEquals(TimeUnit.MILLISECONDS.toNanos(50), longestWait);
  }
}

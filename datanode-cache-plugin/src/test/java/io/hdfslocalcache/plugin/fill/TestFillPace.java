/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.Test;

/** Fills of 1 MiB at 100 MiB per second; time passes while one waits, and only then. */
public class TestFillPace {

  private static final long MB = 1 << 20;
  private static final long RATE = 100 * MB;

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
  private long longestWait;

  private FillPace pace(long rate) {
    return new FillPace(rate, nanos::get, this::pass);
  }

  private void pass(long waited) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    assertTrue("waits for nothing", waited > 0);
    longestWait = Math.max(longestWait, waited);
    nanos.addAndGet(waited);
  }

  /** @return the milliseconds that so many pages took. */
  private long fill(FillPace pace, int pages) throws InterruptedException {
    long begin = nanos.get();
    for (int page = 0; page < pages; page++) {
      pace.await(MB);
    }
    return TimeUnit.NANOSECONDS.toMillis(nanos.get() - begin);
  }

  @Test
  public void await_manyPages_keepsTheRate() throws Exception {
    assertEquals(990, fill(pace(RATE), 100), 2);
  }

  @Test
  public void await_noLimit_doesNotWait() throws Exception {
    assertEquals(0, fill(pace(0), 1000));
  }

  @Test
  public void await_pageLargerThanTheRate_passesAndIsPaidBack() throws Exception {
    FillPace pace = pace(RATE);
    pace.await(200 * MB);
    assertEquals(2000, fill(pace, 1), 2);
  }

  @Test
  public void await_nothingWasFilledForLong_noMoreThanAMomentIsCaughtUp() throws Exception {
    FillPace pace = pace(RATE);
    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    assertEquals(890, fill(pace, 100), 2);
  }

  @Test
  public void await_interrupted_ends() {
    FillPace pace = pace(RATE);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> fill(pace, 2));
  }

  @Test
  public void await_longWait_isCutIntoPieces() throws Exception {
    FillPace pace = pace(RATE);
    pace.await(200 * MB);
    pace.await(MB);
    assertEquals(TimeUnit.MILLISECONDS.toNanos(50), longestWait);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.config.FillRates;

/**
 * How fast the fills of a DataNode may go, of all its SSDs together: a fill costs CPU time, memory
 * bandwidth and the disk's time, and readers come first. There is a rate for all times, and a lower
 * one for when readers would miss what fills take. What an operator orders is held to the former
 * only: she waits for it.
 */
public final class FillPace {

  /** A longer wait is cut into such pieces: readers may be done before it is over. */
  private static final long PIECE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Waits. */
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  private final Pace always;
  private final Pace whileBusy;
  private final BooleanSupplier busy;
  private final Sleeper sleeper;

  /**
   * Makes a pace.
   *
   * @param busy whether readers would miss what fills take
   */
  public FillPace(FillRates rates, BooleanSupplier busy) {
    this(rates, busy, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  FillPace(FillRates rates, BooleanSupplier busy, LongSupplier nanoClock, Sleeper sleeper) {
    this.always = new Pace(rates.always(), nanoClock);
    this.whileBusy = new Pace(rates.busy(), nanoClock);
    this.busy = busy;
    this.sleeper = sleeper;
  }

  /**
   * Waits until bytes may be copied. Holds no lock meanwhile.
   *
   * @param isOrdered whether an operator asked for them
   * @throws InterruptedException if the local cache closes
   */
  public void await(long bytes, boolean isOrdered) throws InterruptedException {
    for (long wait = always.take(bytes); wait > 0; wait = always.take(bytes)) {
      sleeper.sleep(Math.min(wait, PIECE_NANOS));
    }
    while (!isOrdered && busy.getAsBoolean()) {
      long wait = whileBusy.take(bytes);
      if (wait == 0) {
        return;
      }
      sleeper.sleep(Math.min(wait, PIECE_NANOS));
    }
  }
}

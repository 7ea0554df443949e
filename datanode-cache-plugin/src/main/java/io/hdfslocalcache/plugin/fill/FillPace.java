/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How fast a DataNode fills in the background, all its SSDs together: it costs the time of disks and
 * the CPU that readers want, too.
 *
 * <p>An account of bytes that may be copied, with an income per second. What is taken may be more
 * than there is: then nobody gets anything before that is paid back. So a page of any size passes,
 * and the rate is kept over time. What is not used is lost but for a moment's worth.
 */
public final class FillPace {

  /** A longer wait is cut into such pieces, so that the local cache can be closed. */
  private static final long PIECE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  /** For so long, income is kept. */
  private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Waits. */
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  private final long bytesPerSecond;
  private final LongSupplier nanoClock;
  private final Sleeper sleeper;
  /** When all that was taken is paid. */
  private long paid;

  /** @param bytesPerSecond 0: no limit */
  public FillPace(long bytesPerSecond) {
    this(bytesPerSecond, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  FillPace(long bytesPerSecond, LongSupplier nanoClock, Sleeper sleeper) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
    this.paid = nanoClock.getAsLong();
  }

  /**
   * Waits until bytes may be copied. Holds no lock meanwhile.
   *
   * @throws InterruptedException if the local cache closes
   */
  public void await(long bytes) throws InterruptedException {
    for (long wait = take(bytes); wait > 0; wait = take(bytes)) {
      sleeper.sleep(Math.min(wait, PIECE_NANOS));
    }
  }

  /**
   * Takes bytes if nothing is owed.
   *
   * @return 0 if they were taken, else the nanoseconds after which to ask again
   */
  private synchronized long take(long bytes) {
    if (bytesPerSecond == 0) {
      return 0;
    }
    long now = nanoClock.getAsLong();
    if (paid - now > 0) {
      return paid - now;
    }
    paid = Math.max(paid - now, -KEPT_NANOS) + now
        + (long) ((double) bytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1));
    return 0;
  }
}

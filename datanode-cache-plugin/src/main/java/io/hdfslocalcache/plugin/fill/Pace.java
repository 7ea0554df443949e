/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * An account of bytes that may be copied, with an income per second. What is taken may be more than
 * there is: then nobody gets anything before that is paid back. So a page of any size passes, and
 * the rate is kept over time. What is not used is lost but for a moment's worth.
 */
final class Pace {

  /** For so long, income is kept. */
  private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final long bytesPerSecond;
  private final LongSupplier nanoClock;
  /** When all that was taken is paid. */
  private long paid;

  /** @param bytesPerSecond 0: no limit */
  Pace(long bytesPerSecond, LongSupplier nanoClock) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoClock = nanoClock;
    this.paid = nanoClock.getAsLong();
  }

  /**
   * Takes bytes if nothing is owed.
   *
   * @return 0 if they were taken, else the nanoseconds after which to ask again
   */
  synchronized long take(long bytes) {
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

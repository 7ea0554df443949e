/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.measure;

import java.util.concurrent.TimeUnit;

/**
 * Time since a moment that all tasks of a job have been told. The machines' clocks should agree:
 * what they differ, the tasks begin at different times.
 */
public final class Clock {

  private final long originNanos;

  /** @param originMillis the moment, in milliseconds since 1970; it may be to come */
  public Clock(long originMillis) {
    this.originNanos = System.nanoTime()
        + TimeUnit.MILLISECONDS.toNanos(originMillis - System.currentTimeMillis());
  }

  /** @return microseconds since the moment; negative before. */
  public long micros() {
    return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - originNanos);
  }

  /** Waits until so many milliseconds after the moment. */
  public void sleepUntil(long millis) throws InterruptedException {
    long left = TimeUnit.MILLISECONDS.toMicros(millis) - micros();
    if (left > 0) {
      TimeUnit.MICROSECONDS.sleep(left);
    }
  }
}

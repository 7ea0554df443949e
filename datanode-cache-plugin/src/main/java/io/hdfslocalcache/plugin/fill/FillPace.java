/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How fast a DataNode fills in the background, all its SSDs together: it costs the time of disks and
 * the CPU that readers want, too.
 */
public final class FillPace {

  /** A longer wait is cut into such pieces, so that the local cache can be closed. */
  private static final long PIECE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Waits. */
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  private final Pace pace;
  private final Sleeper sleeper;

  /** @param bytesPerSecond 0: no limit */
  public FillPace(long bytesPerSecond) {
    this(bytesPerSecond, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  FillPace(long bytesPerSecond, LongSupplier nanoClock, Sleeper sleeper) {
    this.pace = new Pace(bytesPerSecond, nanoClock);
    this.sleeper = sleeper;
  }

  /**
   * Waits until bytes may be copied. Holds no lock meanwhile.
   *
   * @throws InterruptedException if the local cache closes
   */
  public void await(long bytes) throws InterruptedException {
    for (long wait = pace.take(bytes); wait > 0; wait = pace.take(bytes)) {
      sleeper.sleep(Math.min(wait, PIECE_NANOS));
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Whether readers would miss the CPU time that fills take: some read is in progress, or was just
 * now, and no CPU is idle. Asked by fills only; readers count what they count anyway.
 */
public final class BusyReaders implements BooleanSupplier {

  /** For so long after a read, the next one is expected. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier inProgress;
  private final LongSupplier ended;
  private final BooleanSupplier idleCpu;
  private final LongSupplier nanoClock;
  private long lastEnded;
  private long lastSeen;

  /**
   * Watches reads.
   *
   * @param inProgress number of reads in progress
   * @param ended number of reads that have ended since the start
   * @param idleCpu whether there is a CPU to spare
   * @param nanoClock the time in nanoseconds
   */
  public BusyReaders(LongSupplier inProgress, LongSupplier ended, BooleanSupplier idleCpu,
      LongSupplier nanoClock) {
    this.inProgress = inProgress;
    this.ended = ended;
    this.idleCpu = idleCpu;
    this.nanoClock = nanoClock;
    this.lastEnded = ended.getAsLong();
    this.lastSeen = nanoClock.getAsLong() - PAUSE_NANOS;
  }

  @Override
  public boolean getAsBoolean() {
    return areReading() && !idleCpu.getAsBoolean();
  }

  private synchronized boolean areReading() {
    long now = nanoClock.getAsLong();
    long endedNow = ended.getAsLong();
    if (inProgress.getAsLong() > 0 || endedNow != lastEnded) {
      lastEnded = endedNow;
      lastSeen = now;
    }
    return now - lastSeen < PAUSE_NANOS;
  }
}

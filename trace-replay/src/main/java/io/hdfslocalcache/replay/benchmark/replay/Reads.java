/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.replay.benchmark.measure.Clock;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task's reads, done in their order by several threads, each at its time or after it. */
final class Reads {

  private static final Logger LOG = LoggerFactory.getLogger(Reads.class);
  private static final long MICROS_PER_MILLI = 1000;
  /** What one request may ask for: a buffer must hold it. */
  private static final int MAX_PIECE = 16 << 20;
  private static final int FIRST_BUFFER = 1 << 16;

  private final Operation[] operations;
  private final OpenFiles files;
  private final Clock clock;
  private final long lateMillis;
  private final long warmUpMillis;
  private final AtomicInteger next = new AtomicInteger();

  /**
   * Takes a task's reads.
   *
   * @param lateMillis a read that begins later than this after its time is late
   * @param warmUpMillis reads whose time is before this are tallied apart
   */
  Reads(Operation[] operations, OpenFiles files, Clock clock, long lateMillis,
      long warmUpMillis) {
    this.operations = operations;
    this.files = files;
    this.clock = clock;
    this.lateMillis = lateMillis;
    this.warmUpMillis = warmUpMillis;
  }

  /** Does reads until there are none left. @return what this thread has done */
  Measured run() throws InterruptedException {
    Measured measured = new Measured(new Tally(), new Tally());
    byte[] buffer = new byte[FIRST_BUFFER];
    for (int i = next.getAndIncrement(); i < operations.length; i = next.getAndIncrement()) {
      Operation operation = operations[i];
      int piece = Math.min(MAX_PIECE, operation.length());
      if (piece > buffer.length) {
        buffer = new byte[piece];
      }
      clock.sleepUntil(operation.atMillis());
      // By the read's own time: so the same reads are left out however slow the cluster is.
      read(operation, buffer,
          operation.atMillis() < warmUpMillis ? measured.warmUp() : measured.main());
    }
    return measured;
  }

  private void read(Operation operation, byte[] buffer, Tally tally) {
    long start = clock.micros();
    long behind = start / MICROS_PER_MILLI - operation.atMillis();
    if (behind > lateMillis) {
      tally.addLate(behind);
    }
    try {
      long end = operation.offset() + operation.length();
      for (long at = operation.offset(); at < end; at += MAX_PIECE) {
        files.get(operation.file()).readFully(
            at, buffer, 0, (int) Math.min(MAX_PIECE, end - at));
      }
      tally.add(start, clock.micros(), operation.length());
    } catch (IOException e) {
      LOG.warn("Failed: {}", operation, e);
      tally.addFailed();
    }
  }
}

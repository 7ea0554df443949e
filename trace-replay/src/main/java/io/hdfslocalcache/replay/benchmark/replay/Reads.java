/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.replay.benchmark.measure.Clock;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import io.hdfslocalcache.replay.benchmark.replay.Input.Operation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's reads, done in their order by several threads, each at its time or after it. Files stay
 * open for all threads, as the NameNode is not what is measured.
 */
final class Reads implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Reads.class);
  private static final long MICROS_PER_MILLI = 1000;
  /** What one request may ask for: a buffer must hold it. */
  private static final int MAX_PIECE = 16 << 20;
  private static final int FIRST_BUFFER = 1 << 16;

  private final Operation[] operations;
  private final FileSystem fs;
  private final List<Path> files;
  private final Clock clock;
  private final long lateMillis;
  private final long warmUpMillis;
  private final ConcurrentMap<Integer, FSDataInputStream> open = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();

  /**
   * What was done, the warm-up apart.
   *
   * @param warmUp reads that belong to the warm-up
   * @param main all others
   */
  record Done(Tally warmUp, Tally main) {

    Done() {
      this(new Tally(), new Tally());
    }

    void add(Done other) {
      warmUp.add(other.warmUp);
      main.add(other.main);
    }
  }

  /**
   * Takes a task's reads.
   *
   * @param files by their numbers
   * @param lateMillis a read that begins later than this after its time is late
   * @param warmUpMillis reads whose time is before this are tallied apart
   */
  Reads(Operation[] operations, FileSystem fs, List<Path> files, Clock clock, long lateMillis,
      long warmUpMillis) {
    this.operations = operations;
    this.fs = fs;
    this.files = files;
    this.clock = clock;
    this.lateMillis = lateMillis;
    this.warmUpMillis = warmUpMillis;
  }

  /** Does reads until there are none left. @return what this thread has done */
  Done run() throws InterruptedException {
    Done done = new Done();
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
          operation.atMillis() < warmUpMillis ? done.warmUp() : done.main());
    }
    return done;
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
        stream(operation.file()).readFully(
            at, buffer, 0, (int) Math.min(MAX_PIECE, end - at));
      }
      tally.add(start, clock.micros(), operation.length());
    } catch (IOException e) {
      LOG.warn("Failed: {}", operation, e);
      tally.addFailed();
    }
  }

  /** @return a stream for all threads, for positioned reads only. */
  private FSDataInputStream stream(int file) throws IOException {
    FSDataInputStream in = open.get(file);
    if (in != null) {
      return in;
    }
    FSDataInputStream opened = fs.open(files.get(file));
    FSDataInputStream before = open.putIfAbsent(file, opened);
    if (before == null) {
      return opened;
    }
    opened.close();
    return before;
  }

  @Override
  public void close() throws IOException {
    for (FSDataInputStream in : open.values()) {
      in.close();
    }
  }
}

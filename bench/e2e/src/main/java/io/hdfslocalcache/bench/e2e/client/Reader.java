/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.HdrHistogram.Histogram;
import org.apache.hadoop.fs.FSDataInputStream;

/** One reader of a load. */
final class Reader implements Callable<Reader> {

  private static final long MAX_NANOS = 300_000_000_000L;

  private final Load load;
  private final Files files;
  private final Offsets offsets;
  private final AtomicInteger nextFile;
  private final long deadline;
  private final Histogram nanos = new Histogram(MAX_NANOS, 3);
  private long bytes;
  private long last;

  /**
   * @param offsets where positioned reads begin
   * @param nextFile counts the files that were begun, of all readers together
   * @param deadline when to end, by the nano clock
   */
  Reader(Load load, Files files, Offsets offsets, AtomicInteger nextFile, long deadline) {
    this.load = load;
    this.files = files;
    this.offsets = offsets;
    this.nextFile = nextFile;
    this.deadline = deadline;
  }

  @Override
  public Reader call() throws IOException {
    if (load.kind() == Load.Kind.PREAD) {
      readRanges();
    } else {
      readFiles();
    }
    return this;
  }

  private void readFiles() throws IOException {
    byte[] buffer = new byte[load.size()];
    while (System.nanoTime() < deadline) {
      int n = nextFile.getAndIncrement();
      if (load.seconds() == 0 && n >= load.files()) {
        break;
      }
      long begin = System.nanoTime();
      bytes += files.read(load.firstFile() + n % load.files(), buffer, false);
      done(begin);
    }
  }

  private void readRanges() throws IOException {
    byte[] buffer = new byte[load.size()];
    FSDataInputStream[] streams = new FSDataInputStream[load.files()];
    try {
      for (int i = 0; i < streams.length; i++) {
        streams[i] = files.open(load.firstFile() + i);
      }
      long due = System.nanoTime();
      for (long at = offsets.next(); at >= 0 && due < deadline; at = offsets.next()) {
        due = await(due);
        long begin = System.nanoTime();
        int file = (int) (at / files.length());
        streams[file].readFully(at % files.length(), buffer, 0, buffer.length);
        bytes += buffer.length;
        done(begin);
      }
    } finally {
      for (FSDataInputStream stream : streams) {
        if (stream != null) {
          stream.close();
        }
      }
    }
  }

  /** @return when the next read is due. */
  private long await(long due) {
    if (load.rate() == 0) {
      return System.nanoTime();
    }
    for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
      LockSupport.parkNanos(wait);
    }
    return due + (long) (1e9 / load.rate());
  }

  private void done(long begin) {
    last = System.nanoTime();
    nanos.recordValue(Math.min(last - begin, MAX_NANOS));
  }

  /** @return durations of the reads, in nanoseconds. */
  Histogram nanos() {
    return nanos;
  }

  long bytes() {
    return bytes;
  }

  /** @return when the last read ended, by the nano clock. */
  long last() {
    return last;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.hdfslocalcache.bench.e2e.client.Files.Content;
import io.hdfslocalcache.bench.e2e.client.LoadRun.Offsets;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.fs.FSDataInputStream;

/** One reader of a load. */
final class Reader {

  private static final long MAX_NANOS = 300_000_000_000L;

  private final Load load;
  private final Files files;
  private final Offsets offsets;
  private final AtomicInteger nextFile;
  /** For positioned reads: one of each file. */
  private final List<FSDataInputStream> streams = new ArrayList<>();
  private final Histogram nanos = new Histogram(MAX_NANOS, 3);
  private final SecondsCount ended = new SecondsCount();
  private long bytes;
  private long begin;
  private long last;

  /**
   * @param offsets where positioned reads begin
   * @param nextFile counts the files that were begun, of all readers together
   */
  Reader(Load load, Files files, Offsets offsets, AtomicInteger nextFile) {
    this.load = load;
    this.files = files;
    this.offsets = offsets;
    this.nextFile = nextFile;
  }

  /** Makes ready what is not measured. */
  void open() throws IOException {
    for (int i = 0; load.kind().isPositioned() && i < load.files(); i++) {
      streams.add(files.borrow(load.firstFile() + i));
    }
  }

  /**
   * Reads.
   *
   * @param start when the load began, by the nano clock
   * @param deadline when to end, by the same clock
   * @return this
   */
  Reader read(long start, long deadline) throws IOException {
    begin = start;
    if (load.kind().isPositioned()) {
      readRanges(deadline);
    } else {
      readFiles(deadline);
    }
    return this;
  }

  /** To be called in the end. */
  void giveBack() {
    for (int i = 0; i < streams.size(); i++) {
      files.giveBack(load.firstFile() + i, streams.get(i));
    }
    streams.clear();
  }

  private void readFiles(long deadline) throws IOException {
    byte[] buffer = new byte[load.size()];
    while (System.nanoTime() < deadline) {
      int n = nextFile.getAndIncrement();
      if (load.seconds() == 0 && n >= load.files()) {
        break;
      }
      long asked = System.nanoTime();
      bytes += files.read(load.firstFile() + n % load.files(), buffer, false);
      done(asked);
    }
  }

  private void readRanges(long deadline) throws IOException {
    byte[] buffer = new byte[load.size()];
    long due = System.nanoTime();
    for (long at = offsets.next(); at >= 0 && due < deadline; at = offsets.next()) {
      due = await(due);
      long asked = System.nanoTime();
      int file = (int) (at / files.length());
      streams.get(file).readFully(at % files.length(), buffer, 0, buffer.length);
      bytes += buffer.length;
      done(asked);
      if (load.kind() == Load.Kind.ZIPF) {
        Content.check(load.firstFile() + file, at % files.length(), buffer, buffer.length);
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

  private void done(long asked) {
    last = System.nanoTime();
    nanos.recordValue(Math.min(last - asked, MAX_NANOS));
    ended.add(last - begin);
  }

  /** @return durations of the reads, in nanoseconds. */
  Histogram nanos() {
    return nanos;
  }

  /** @return when the reads ended. */
  SecondsCount ended() {
    return ended;
  }

  long bytes() {
    return bytes;
  }

  /** @return when the last read ended, by the nano clock. */
  long last() {
    return last;
  }

  /** Counts in which second since the beginning something happened. For one thread. */
  static final class SecondsCount {

    private long[] counts = new long[0];

    /** It happened once more, so many nanoseconds after the beginning. */
    void add(long nanos) {
      add((int) TimeUnit.NANOSECONDS.toSeconds(nanos), 1);
    }

    /** What another one has counted happened, too. */
    void add(SecondsCount other) {
      for (int second = 0; second < other.counts.length; second++) {
        add(second, other.counts[second]);
      }
    }

    private void add(int second, long times) {
      if (second >= counts.length) {
        counts = Arrays.copyOf(counts, second + 1);
      }
      counts[second] += times;
    }

    /** @return the counts, up to the last second in which it happened. */
    List<Long> toList() {
      return Arrays.stream(counts).boxed().toList();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;

import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Disk.DiskMeter;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;

/**
 * Plays a trace to a local cache that exists in numbers only, and to the HDDs behind it. What the
 * local cache holds is said by the classes that extend this one.
 */
abstract class Simulation {

  /** Equal spans of the trace for which bytes are counted apart. */
  private static final int SPANS = 60;
  private static final double DAY_MILLIS = 86_400_000;
  private static final double HOUR_MILLIS = 3_600_000;

  final Setting setting;
  final PageTrace trace;
  private final String name;
  private final DiskMeter disks;
  private int read;
  /** When the current read has its bytes, in milliseconds since the trace began. */
  private double served;
  /** The next visit to the disk of the current read: bytes of its block in a row. */
  private long visitStart;
  private long visitEnd;
  private final long spanMillis;
  private final long[] spanBytes = new long[SPANS];
  private final long[] spanHitBytes = new long[SPANS];
  private final long[] spanWritten = new long[SPANS];
  private int span;
  private long bytes;
  private long hitBytes;
  /** Those of the current read. */
  private long readHitBytes;
  private long pageHits;
  private long hits;
  private long partialHits;
  private long missesAdmitted;
  private long missesNotAdmitted;
  private long fills;
  private long partsWritten;
  private long written;
  private long evictions;
  private long evictionsWithoutRead;
  /** Most pages on the SSD at a time, and heap that the limiter took, in bytes. */
  int mostPages;
  long limiterHeap;

  /** Prepares a run. @param disk the HDDs */
  Simulation(Setting setting, String name, PageTrace trace, Disk disk) {
    this.setting = setting;
    this.name = name;
    this.trace = trace;
    this.disks = new DiskMeter(trace, disk);
    this.spanMillis = trace.spanMillis() / SPANS + 1;
  }

  /**
   * Plays the trace.
   *
   * @param without what the HDDs do without a local cache
   */
  final Result run(DiskLoad without) {
    for (read = 0; read < trace.reads(); read++) {
      served = trace.millis(read);
      begin(read);
      for (int place = trace.first(read); place < trace.first(read + 1); place++) {
        readPage(read, place);
      }
      endVisit();
      endRead(trace.read(read).length());
      disks.served(read, served);
    }
    end();
    return result(disks.load(), without);
  }

  private void endRead(long length) {
    span = (int) (trace.millis(read) / spanMillis);
    bytes += length;
    hitBytes += readHitBytes;
    spanBytes[span] += length;
    spanHitBytes[span] += readHitBytes;
    if (readHitBytes == length) {
      hits++;
    } else if (readHitBytes > 0) {
      partialHits++;
    } else if (isAdmitted()) {
      missesAdmitted++;
    } else {
      missesNotAdmitted++;
    }
    readHitBytes = 0;
  }

  private Result result(DiskLoad load, DiskLoad without) {
    double[] hours = load.hoursRelativeTo(without);
    int worst = 0;
    for (int hour = 1; hour < hours.length; hour++) {
      worst = hours[hour] > hours[worst] ? hour : worst;
    }
    double[] offloads = new double[SPANS];
    Arrays.setAll(offloads, i -> spanBytes[i] == 0 ? -1 : share(spanHitBytes[i], spanBytes[i]));
    return new Result(name, setting.limiter().x(), setting.limiter().y(), setting.pageSize(),
        setting.capacity(), trace.reads(), bytes, hits, partialHits, missesAdmitted,
        missesNotAdmitted, share(hitBytes, bytes), share(hits, trace.reads()),
        share(pageHits, trace.accesses()), share(hits, hits + partialHits + missesAdmitted),
        written, written / (trace.spanMillis() / DAY_MILLIS), fills, partsWritten, evictions,
        evictionsWithoutRead, trace.reads() - load.visits(), 1 - load.seconds() / without.seconds(),
        worst + 1, hours[worst], load, without, mostPages,
        (long) mostPages * Result.HEAP_PER_PAGE + limiterHeap,
        trace.spanMillis() / HOUR_MILLIS / SPANS, offloads, spanWritten, spanBytes);
  }

  private static double share(long part, long all) {
    return all == 0 ? 0 : (double) part / all;
  }

  /** A read begins. */
  void begin(int number) {
    // Whoever plans or counts by places has nothing to prepare.
  }

  /** The current read reads its page at a place in the trace's sequence, and counts what comes. */
  abstract void readPage(int number, int place);

  /** @return whether the block of the current read is admitted; asked if nothing of it is there. */
  boolean isAdmitted() {
    return true;
  }

  /** The current read visits the disk. @param end when its bytes are there, in milliseconds */
  void visited(double end) {
    // Whoever knows the future keeps nothing of a visit that was not planned.
  }

  /** The trace is over. */
  void end() {
    // By default, nothing is on its way.
  }

  /** Bytes of a page come from the SSD. @param isAll whether all that the read wants of it do */
  final void hit(int pageBytes, boolean isAll) {
    pageHits += isAll ? 1 : 0;
    readHitBytes += pageBytes;
  }

  /**
   * Parts of a page were written to the SSD.
   *
   * @param isNew whether nothing of the page was there
   * @param space bytes, checksums included
   */
  final void filled(int parts, boolean isNew, long space) {
    fills += isNew ? 1 : 0;
    partsWritten += Integer.bitCount(parts);
    written += space;
    spanWritten[span] += space;
  }

  /** A page is evicted. */
  final void evicted(boolean wasRead) {
    evictions++;
    evictionsWithoutRead += wasRead ? 0 : 1;
  }

  /** The current read does not have its bytes before this time, in milliseconds. */
  final void waitUntil(double millis) {
    served = Math.max(served, millis);
  }

  /** Bytes of the block have to be read from the disk; those in a row by one visit. */
  final void visit(long start, long end) {
    if (start != visitEnd) {
      endVisit();
    }
    visitStart = visitStart == visitEnd ? start : visitStart;
    visitEnd = end;
  }

  private void endVisit() {
    if (visitStart != visitEnd) {
      double end = disks.visit(read, visitEnd - visitStart);
      waitUntil(end);
      visited(end);
      visitStart = visitEnd;
    }
  }
}

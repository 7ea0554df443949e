/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;

import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Disk.DiskMeter;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;

/**
 * Simulates a local cache and the HDDs behind it on a trace. Subclasses decide which pages the
 * local cache holds.
 */
abstract class Simulation {

  /** Equal spans of the trace with separate byte counts. */
  private static final int SPANS = 60;
  private static final double HOUR_MILLIS = 3_600_000;

  final Setting setting;
  final PageTrace trace;
  private final String name;
  private final DiskMeter disks;
  private int read;
  /** When the current read has its bytes, in milliseconds since the trace began. */
  private double served;
  /** The current read's next visit to the disk: contiguous bytes of its block. */
  private long visitStart;
  private long visitEnd;
  private final long spanMillis;
  private final long[] spanBytes = new long[SPANS];
  private final long[] spanHitBytes = new long[SPANS];
  private final long[] spanWritten = new long[SPANS];
  private int span;
  private long bytes;
  private long hitBytes;
  /** Bytes of the current read. */
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
  /** Maximum number of pages on the SSD, and heap of the limiter in bytes. */
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
   * Simulates the trace.
   *
   * @param without load of the HDDs without a local cache
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
        written, fills, partsWritten, evictions,
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
    // Subclasses that plan by places have nothing to prepare.
  }

  /** The current read reads its page at a place in the trace's sequence, and counts its bytes. */
  abstract void readPage(int number, int place);

  /** @return whether the block of the current read is admitted; called if nothing is cached. */
  boolean isAdmitted() {
    return true;
  }

  /** The current read visits the disk. @param end when its bytes arrive, in milliseconds */
  void visited(double end) {
    // Subclasses that know the future store nothing of an unplanned visit.
  }

  /** The trace has ended. */
  void end() {
    // By default, nothing is being read.
  }

  /** Bytes of a page come from the SSD. @param isAll whether all it needs does */
  final void hit(int pageBytes, boolean isAll) {
    pageHits += isAll ? 1 : 0;
    readHitBytes += pageBytes;
  }

  /**
   * Parts of a page were written to the SSD.
   *
   * @param isNew whether the page had no parts before
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

  /** The current read has its bytes at this time in milliseconds, or later. */
  final void waitUntil(double millis) {
    served = Math.max(served, millis);
  }

  /** Bytes of the block have to be read from the disk; contiguous ones by one visit. */
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

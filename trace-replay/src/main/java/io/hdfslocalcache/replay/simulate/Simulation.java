/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;


import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Disk.DiskMeter;
import io.hdfslocalcache.replay.simulate.Result.ReadCounts;

/**
 * Plays a trace to a local cache that exists in numbers only, and to the HDDs behind it. What the
 * local cache holds is said by the classes that extend this one.
 */
abstract class Simulation {

  final PageTrace trace;
  final ReadCounts counts;
  private final DiskMeter disks;
  private int read;
  /** When the current read has its bytes, in milliseconds since the trace began. */
  private double served;
  /** The next visit to the disk of the current read: bytes of its block in a row. */
  private long visitStart;
  private long visitEnd;

  /** Prepares a run. @param disk the HDDs */
  Simulation(PageTrace trace, Disk disk) {
    this.trace = trace;
    this.counts = new ReadCounts(trace);
    this.disks = new DiskMeter(trace, disk);
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
      counts.endRead(read, this::isAdmitted);
      disks.served(read, served);
    }
    return end(disks.load(), without);
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

  /** The trace is over. @param load what the HDDs did */
  abstract Result end(DiskLoad load, DiskLoad without);

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

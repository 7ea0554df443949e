/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import java.util.Arrays;

import io.hdfslocalcache.replay.trace.Access;
import io.hdfslocalcache.replay.trace.Trace;

/**
 * Share of the reads of an hour on the blocks that are read most in that hour, 0 to 1. The hours
 * begin with the trace. A last one that is not full is left out unless it is the only one.
 *
 * @param blocks how many blocks those are
 * @param reads share of the reads, over all hours together
 * @param hours number of hours
 */
public record TopShare(int blocks, double reads, int hours) {

  private static final long HOUR_MILLIS = 3_600_000;
  private static final long MINUTE_MILLIS = 60_000;

  /** Counts a trace. @param top how many blocks are the top ones */
  static TopShare of(Trace trace, Blocks blocks, int top) {
    Count count = new Count(blocks.size(), top);
    long end = trace.startMillis() + HOUR_MILLIS;
    long last = trace.startMillis() + trace.spanMillis();
    for (Access access : trace.accesses()) {
      while (access.timeMillis() >= end) {
        count.endHour();
        end += HOUR_MILLIS;
      }
      count.reads[blocks.of(access)] += access.isRead() ? 1 : 0;
    }
    if (count.hours == 0 || end - last < MINUTE_MILLIS) {
      count.endHour();
    }
    return new TopShare(top, count.all == 0 ? 0 : (double) count.onTop / count.all, count.hours);
  }

  /** What is counted on the way. */
  private static final class Count {
    private final int top;
    /** By block, of the hour that has begun. */
    private final long[] reads;
    private long all;
    private long onTop;
    private int hours;

    Count(int blocks, int top) {
      this.top = top;
      this.reads = new long[blocks];
    }

    void endHour() {
      long[] sorted = reads.clone();
      Arrays.parallelSort(sorted);
      long ofHour = Arrays.stream(sorted).sum();
      hours += ofHour > 0 ? 1 : 0;
      all += ofHour;
      onTop += Arrays.stream(sorted, Math.max(0, sorted.length - top), sorted.length).sum();
      Arrays.fill(reads, 0);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import java.util.Arrays;

import io.hdfslocalcache.replay.trace.Access;
import io.hdfslocalcache.replay.trace.Trace;

/**
 * Share of the traffic of an hour on the blocks with the most of it in that hour, 0 to 1. The hours
 * begin with the trace. A last one that is not full is left out unless it is the only one.
 *
 * @param blocks how many blocks those are
 * @param reads share of the reads, over all hours together
 * @param leastReads share of the reads in the hour with the least
 * @param mostReads share of the reads in the hour with the most
 * @param bytes share of the bytes, over all hours together, on the blocks with the most bytes
 * @param hours number of hours
 */
public record TopShare(int blocks, double reads, double leastReads, double mostReads, double bytes,
    int hours) {

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
      if (access.isRead()) {
        count.reads[blocks.of(access)]++;
        count.bytes[blocks.of(access)] += access.length();
      }
    }
    if (count.hours == 0 || end - last < MINUTE_MILLIS) {
      count.endHour();
    }
    return count.share();
  }

  /** What is counted on the way. */
  private static final class Count {
    private final int top;
    /** By block, of the hour that has begun. */
    private final long[] reads;
    private final long[] bytes;
    private long allReads;
    private long topReads;
    private long allBytes;
    private long topBytes;
    private double least = 1;
    private double most;
    private int hours;

    Count(int blocks, int top) {
      this.top = top;
      this.reads = new long[blocks];
      this.bytes = new long[blocks];
    }

    void endHour() {
      long all = Arrays.stream(reads).sum();
      long onTop = onTop(reads);
      if (all > 0) {
        hours++;
        allReads += all;
        topReads += onTop;
        allBytes += Arrays.stream(bytes).sum();
        topBytes += onTop(bytes);
        least = Math.min(least, share(onTop, all));
        most = Math.max(most, share(onTop, all));
      }
      Arrays.fill(reads, 0);
      Arrays.fill(bytes, 0);
    }

    private long onTop(long[] counts) {
      long[] sorted = counts.clone();
      Arrays.parallelSort(sorted);
      return Arrays.stream(sorted, Math.max(0, sorted.length - top), sorted.length).sum();
    }

    TopShare share() {
      return new TopShare(top, share(topReads, allReads), least, most, share(topBytes, allBytes),
          hours);
    }

    private static double share(long part, long all) {
      return all == 0 ? 0 : (double) part / all;
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import java.util.Arrays;

import io.hdfslocalcache.replay.trace.Trace;

/**
 * Share of the reads in a window of one hour that went to the blocks read most in that window. The
 * windows begin with the trace and do not overlap. A last window that is not full is left out
 * unless it is the only one.
 */
final class HotBlocks {

  private static final long HOUR_MILLIS = 3_600_000;

  private final Trace trace;
  private final Blocks blocks;
  private final int top;
  private final long[] reads;
  private final long[] bytes;
  private long allReads;
  private long allTop;
  private long allBytes;
  private long allTopBytes;
  private double least = 1;
  private double most;
  private int windows;

  /**
   * Makes a count.
   *
   * @param top how many blocks are the top ones
   */
  HotBlocks(Trace trace, Blocks blocks, int top) {
    this.trace = trace;
    this.blocks = blocks;
    this.top = top;
    this.reads = new long[blocks.size()];
    this.bytes = new long[blocks.size()];
  }

  /** @return the shares of the whole trace. */
  TopShare count() {
    long end = trace.startMillis() + HOUR_MILLIS;
    long last = trace.startMillis() + trace.spanMillis();
    for (int i = 0; i < trace.size(); i++) {
      while (trace.timeMillis(i) >= end) {
        endWindow();
        end += HOUR_MILLIS;
      }
      if (trace.isRead(i)) {
        int block = blocks.of(trace.replica(i));
        reads[block]++;
        bytes[block] += trace.length(i);
      }
    }
    if (windows == 0 || end - last < HOUR_MILLIS / 60) {
      endWindow();
    }
    return new TopShare(top, share(allTop, allReads), least, most, share(allTopBytes, allBytes),
        windows);
  }

  private static double share(long part, long all) {
    return all == 0 ? 0 : (double) part / all;
  }

  private void endWindow() {
    long sum = Arrays.stream(reads).sum();
    long topSum = topOf(reads);
    if (sum > 0) {
      windows++;
      allReads += sum;
      allTop += topSum;
      allBytes += Arrays.stream(bytes).sum();
      allTopBytes += topOf(bytes);
      least = Math.min(least, share(topSum, sum));
      most = Math.max(most, share(topSum, sum));
    }
    Arrays.fill(reads, 0);
    Arrays.fill(bytes, 0);
  }

  private long topOf(long[] counts) {
    long[] sorted = counts.clone();
    Arrays.parallelSort(sorted);
    return Arrays.stream(sorted, Math.max(0, sorted.length - top), sorted.length).sum();
  }
}

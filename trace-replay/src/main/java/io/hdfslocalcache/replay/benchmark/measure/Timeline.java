/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/**
 * What was read in each second since the readers began, and how many of them were waiting for a
 * read then. Not thread-safe.
 */
public final class Timeline implements Writable {

  /** Length of a step. */
  public static final long STEP_MILLIS = 1000;
  /** Reads that end later are counted in the last step. */
  private static final int MAX_STEPS = 1_000_000;
  private static final int FIRST_STEPS = 64;

  private long[] reads = new long[FIRST_STEPS];
  private long[] bytes = new long[FIRST_STEPS];
  private long[] waitedMillis = new long[FIRST_STEPS];
  private int steps;

  /**
   * Counts a read.
   *
   * @param startMillis when it began, since the readers began; what was earlier counts as 0
   * @param endMillis when it ended
   * @param length bytes that were read
   */
  public void add(long startMillis, long endMillis, long length) {
    long start = Math.max(0, startMillis);
    long end = Math.max(start, endMillis);
    int last = step(end);
    grow(last + 1);
    reads[last]++;
    bytes[last] += length;
    for (int i = step(start); i <= last; i++) {
      waitedMillis[i] += Math.min(end, (i + 1) * STEP_MILLIS) - Math.max(start, i * STEP_MILLIS);
    }
  }

  private static int step(long millis) {
    return (int) Math.min(millis / STEP_MILLIS, MAX_STEPS - 1);
  }

  private void grow(int needed) {
    if (needed > reads.length) {
      int length = Math.max(needed, 2 * reads.length);
      reads = Arrays.copyOf(reads, length);
      bytes = Arrays.copyOf(bytes, length);
      waitedMillis = Arrays.copyOf(waitedMillis, length);
    }
    steps = Math.max(steps, needed);
  }

  /** Adds what another reader did in the same time. */
  public void add(Timeline other) {
    grow(other.steps);
    for (int i = 0; i < other.steps; i++) {
      reads[i] += other.reads[i];
      bytes[i] += other.bytes[i];
      waitedMillis[i] += other.waitedMillis[i];
    }
  }

  /** @return number of steps up to the end of the last read. */
  public int steps() {
    return steps;
  }

  /** @return reads that ended in a step. */
  public long reads(int step) {
    return reads[step];
  }

  /** @return bytes of the reads that ended in a step. */
  public long bytes(int step) {
    return bytes[step];
  }

  /** @return reads that were being waited for in a step, on average over its time. */
  public double waiting(int step) {
    return (double) waitedMillis[step] / STEP_MILLIS;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    WritableUtils.writeVInt(out, steps);
    for (int i = 0; i < steps; i++) {
      WritableUtils.writeVLong(out, reads[i]);
      WritableUtils.writeVLong(out, bytes[i]);
      WritableUtils.writeVLong(out, waitedMillis[i]);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    int length = WritableUtils.readVInt(in);
    steps = 0;
    reads = new long[Math.max(length, FIRST_STEPS)];
    bytes = new long[reads.length];
    waitedMillis = new long[reads.length];
    grow(length);
    for (int i = 0; i < length; i++) {
      reads[i] = WritableUtils.readVLong(in);
      bytes[i] = WritableUtils.readVLong(in);
      waitedMillis[i] = WritableUtils.readVLong(in);
    }
  }
}

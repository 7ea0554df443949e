/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.util.Arrays;

/** Accesses column by column, in arrays that grow. */
final class AccessColumns {

  private static final int FIRST = 1024;

  long[] time = new long[FIRST];
  long[] offset = new long[FIRST];
  long[] length = new long[FIRST];
  int[] replica = new int[FIRST];
  int[] reader = new int[FIRST];
  int[] duration = new int[FIRST];
  byte[] op = new byte[FIRST];
  /** Numbers of outcomes, from 1; 0 is unknown. */
  byte[] outcome = new byte[FIRST];
  private int size;
  private boolean sorted = true;

  int size() {
    return size;
  }

  void add(Access access, int replicaNumber, int readerNumber) {
    if (size == time.length) {
      resize(Math.addExact(size, size / 2));
    }
    sorted &= size == 0 || time[size - 1] <= access.timeMillis;
    time[size] = access.timeMillis;
    offset[size] = access.offset;
    length[size] = access.length;
    replica[size] = replicaNumber;
    reader[size] = readerNumber;
    duration[size] = (int) Math.min(Integer.MAX_VALUE, access.durationMicros);
    op[size] = (byte) access.op.ordinal();
    outcome[size] = (byte) (access.outcome == null ? 0 : access.outcome.ordinal() + 1);
    size++;
  }

  private void resize(int capacity) {
    time = Arrays.copyOf(time, capacity);
    offset = Arrays.copyOf(offset, capacity);
    length = Arrays.copyOf(length, capacity);
    replica = Arrays.copyOf(replica, capacity);
    reader = Arrays.copyOf(reader, capacity);
    duration = Arrays.copyOf(duration, capacity);
    op = Arrays.copyOf(op, capacity);
    outcome = Arrays.copyOf(outcome, capacity);
  }

  /** Orders the accesses by time; those of the same time stay in their order. */
  void sort() throws TraceException {
    if (sorted) {
      return;
    }
    long[] keys = keys();
    Arrays.parallelSort(keys);
    long mask = (1L << indexBits()) - 1;
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      order[i] = (int) (keys[i] & mask);
    }
    time = permute(time, order);
    offset = permute(offset, order);
    length = permute(length, order);
    replica = permute(replica, order);
    reader = permute(reader, order);
    duration = permute(duration, order);
    op = permute(op, order);
    outcome = permute(outcome, order);
    sorted = true;
  }

  /** @return time and number of each access in one number: fast to sort, and never equal. */
  private long[] keys() throws TraceException {
    long first = Arrays.stream(time, 0, size).min().getAsLong();
    long last = Arrays.stream(time, 0, size).max().getAsLong();
    if (last - first < 0 || last - first >= 1L << (Long.SIZE - 1 - indexBits())) {
      throw new TraceException("the trace spans too long a time to be sorted: from "
          + first + " to " + last + " ms");
    }
    long[] keys = new long[size];
    for (int i = 0; i < size; i++) {
      keys[i] = time[i] - first << indexBits() | i;
    }
    return keys;
  }

  private int indexBits() {
    return Integer.SIZE - Integer.numberOfLeadingZeros(size);
  }

  private static long[] permute(long[] from, int[] order) {
    long[] to = new long[order.length];
    for (int i = 0; i < to.length; i++) {
      to[i] = from[order[i]];
    }
    return to;
  }

  private static byte[] permute(byte[] from, int[] order) {
    byte[] to = new byte[order.length];
    for (int i = 0; i < to.length; i++) {
      to[i] = from[order[i]];
    }
    return to;
  }

  private static int[] permute(int[] from, int[] order) {
    int[] to = new int[order.length];
    for (int i = 0; i < to.length; i++) {
      to[i] = from[order[i]];
    }
    return to;
  }
}

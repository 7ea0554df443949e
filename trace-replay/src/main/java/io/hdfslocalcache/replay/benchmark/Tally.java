/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** Counts of readers or writers. Not thread-safe: each thread has its own. */
final class Tally implements Writable {

  /** An operation that takes longer counts as one of an hour. */
  private static final long MAX_MICROS = 3_600_000_000L;
  private static final int DIGITS = 3;
  private static final long MICROS_PER_MILLI = 1000;
  private static final long MILLIS = 1000;
  /** Reads that end later are counted in the last second. */
  private static final int MAX_SECONDS = 1_000_000;

  /** Sum of readers' waits in milliseconds, for each second since the start. */
  private long[] waited = {};
  private Histogram micros = new Histogram(MAX_MICROS, DIGITS);
  private long bytes;
  private long failed;
  private long late;
  private long behindMillis;
  private long startMillis = Long.MAX_VALUE;
  private long endMillis = Long.MIN_VALUE;

  /**
   * Counts an operation.
   *
   * @param startMicros when it began, since the benchmark's start
   * @param endMicros when it ended
   * @param length bytes
   */
  public void add(long startMicros, long endMicros, long length) {
    long start = startMicros / MICROS_PER_MILLI;
    long end = endMicros / MICROS_PER_MILLI;
    micros.recordValue(Math.min(MAX_MICROS, Math.max(0, endMicros - startMicros)));
    bytes += length;
    startMillis = Math.min(startMillis, start);
    endMillis = Math.max(endMillis, end);
    // Earlier times count as 0.
    addWait(Math.max(0, start), Math.max(0, Math.max(start, end)));
  }

  private void addWait(long start, long end) {
    int last = second(end);
    waited = Arrays.copyOf(waited, Math.max(waited.length, last + 1));
    for (int i = second(start); i <= last; i++) {
      long over = i == MAX_SECONDS - 1 ? Long.MAX_VALUE : (i + 1) * MILLIS;
      waited[i] += Math.min(end, over) - Math.max(start, i * MILLIS);
    }
  }

  private static int second(long millis) {
    return (int) Math.min(millis / MILLIS, MAX_SECONDS - 1);
  }

  /** Counts an operation that failed. */
  public void addFailed() {
    failed++;
  }

  /** Counts an operation that began late, in addition to {@link #add}. */
  public void addLate(long millis) {
    late++;
    behindMillis = Math.max(behindMillis, millis);
  }

  /** Adds another one's counts. */
  public void add(Tally other) {
    waited = Arrays.copyOf(waited, Math.max(waited.length, other.waited.length));
    for (int i = 0; i < other.waited.length; i++) {
      waited[i] += other.waited[i];
    }
    micros.add(other.micros);
    bytes += other.bytes;
    failed += other.failed;
    late += other.late;
    behindMillis = Math.max(behindMillis, other.behindMillis);
    startMillis = Math.min(startMillis, other.startMillis);
    endMillis = Math.max(endMillis, other.endMillis);
  }

  /** @return operations that succeeded. */
  public long operations() {
    return micros.getTotalCount();
  }

  /** @return their bytes. */
  public long bytes() {
    return bytes;
  }

  /** @return operations that failed; not in the other figures. */
  public long failed() {
    return failed;
  }

  /** @return operations that began late. */
  public long late() {
    return late;
  }

  /** @return how late the latest of them was, in milliseconds. */
  public long behindMillis() {
    return behindMillis;
  }

  /** @return milliseconds from the first operation's start to the last one's end. */
  public long spanMillis() {
    return endMillis < startMillis ? 0 : endMillis - startMillis;
  }

  /** @return sum of the waits for operations in seconds. */
  public double waitedSeconds() {
    return micros.getTotalCount() == 0 ? 0
        : micros.getMean() * micros.getTotalCount() / 1e6;
  }

  /** @return how long operations took, in microseconds. */
  public Histogram micros() {
    return micros;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(micros.getNeededByteBufferCapacity());
    int length = micros.encodeIntoCompressedByteBuffer(buffer);
    WritableUtils.writeVInt(out, length);
    out.write(buffer.array(), 0, length);
    for (long value : new long[] {
        bytes, failed, late, behindMillis, startMillis, endMillis}) {
      WritableUtils.writeVLong(out, value);
    }
    WritableUtils.writeVInt(out, waited.length);
    for (long millis : waited) {
      WritableUtils.writeVLong(out, millis);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    byte[] encoded = new byte[WritableUtils.readVInt(in)];
    in.readFully(encoded);
    try {
      micros = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), MAX_MICROS);
    } catch (DataFormatException e) {
      throw new IOException("a damaged histogram", e);
    }
    bytes = WritableUtils.readVLong(in);
    failed = WritableUtils.readVLong(in);
    late = WritableUtils.readVLong(in);
    behindMillis = WritableUtils.readVLong(in);
    startMillis = WritableUtils.readVLong(in);
    endMillis = WritableUtils.readVLong(in);
    waited = new long[WritableUtils.readVInt(in)];
    for (int i = 0; i < waited.length; i++) {
      waited[i] = WritableUtils.readVLong(in);
    }
  }

  /** @return sums of readers' waits in seconds, in steps of so many seconds. */
  double[] waits(int seconds) {
    double[] waits = new double[(waited.length + seconds - 1) / seconds];
    for (int i = 0; i < waited.length; i++) {
      waits[i / seconds] += waited[i] / (double) MILLIS;
    }
    return waits;
  }
}

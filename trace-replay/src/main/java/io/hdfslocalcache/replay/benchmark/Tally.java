/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** What readers, or writers, have done. Not thread-safe: each thread has its own. */
final class Tally implements Writable {

  /** An operation that takes longer counts as one of an hour. */
  private static final long MAX_MICROS = 3_600_000_000L;
  private static final int DIGITS = 3;
  private static final long MICROS_PER_MILLI = 1000;
  private static final long MILLIS = 1000;
  /** Reads that end later are counted in the last second. */
  private static final int MAX_SECONDS = 1_000_000;
  private static final int READS = 0;
  private static final int BYTES = 1;
  private static final int WAITED_MILLIS = 2;

  /** Of each second since the readers began: reads that ended in it, their bytes, and waits in it. */
  private final List<long[]> seconds = new ArrayList<>();
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
   * @param startMicros when it began, since the benchmark's own start
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
    // What was earlier counts as 0.
    addToSeconds(Math.max(0, start), Math.max(0, Math.max(start, end)), length);
  }

  private void addToSeconds(long start, long end, long length) {
    int last = second(end);
    at(last)[READS]++;
    at(last)[BYTES] += length;
    for (int i = second(start); i <= last; i++) {
      long over = i == MAX_SECONDS - 1 ? Long.MAX_VALUE : (i + 1) * MILLIS;
      at(i)[WAITED_MILLIS] += Math.min(end, over) - Math.max(start, i * MILLIS);
    }
  }

  private static int second(long millis) {
    return (int) Math.min(millis / MILLIS, MAX_SECONDS - 1);
  }

  private long[] at(int second) {
    while (seconds.size() <= second) {
      seconds.add(new long[WAITED_MILLIS + 1]);
    }
    return seconds.get(second);
  }

  /** Counts an operation that failed. */
  public void addFailed() {
    failed++;
  }

  /** Counts an operation that began later than it should have, beside {@link #add}. */
  public void addLate(long millis) {
    late++;
    behindMillis = Math.max(behindMillis, millis);
  }

  /** Adds what another one has counted. */
  public void add(Tally other) {
    for (int i = 0; i < other.seconds.size(); i++) {
      long[] more = other.seconds.get(i);
      long[] sum = at(i);
      Arrays.setAll(sum, counted -> sum[counted] + more[counted]);
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

  /** @return operations that failed; in none of the other figures. */
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

  /** @return milliseconds from the first operation's beginning to the last one's end. */
  public long spanMillis() {
    return endMillis < startMillis ? 0 : endMillis - startMillis;
  }

  /** @return seconds that somebody waited for an operation, added up. */
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
    WritableUtils.writeVInt(out, seconds.size());
    for (long[] second : seconds) {
      for (long counted : second) {
        WritableUtils.writeVLong(out, counted);
      }
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
    seconds.clear();
    for (int left = WritableUtils.readVInt(in); left > 0; left--) {
      seconds.add(new long[] {WritableUtils.readVLong(in), WritableUtils.readVLong(in),
          WritableUtils.readVLong(in)});
    }
  }

  /**
   * What was done in some seconds.
   *
   * @param end in seconds since the readers began
   * @param reads reads that ended then
   * @param bytes bytes of these
   * @param waited seconds that readers waited for reads then, added up
   */
  record Step(int end, long reads, long bytes, double waited) {
  }

  /** @return what was done when, in steps of so many seconds; the last may be shorter. */
  List<Step> steps(int length) {
    List<Step> steps = new ArrayList<>();
    for (int from = 0; from < seconds.size(); from += length) {
      int end = Math.min(seconds.size(), from + length);
      long[] sum = new long[WAITED_MILLIS + 1];
      seconds.subList(from, end).forEach(second ->
          Arrays.setAll(sum, counted -> sum[counted] + second[counted]));
      steps.add(new Step(end, sum[READS], sum[BYTES], sum[WAITED_MILLIS] / (double) MILLIS));
    }
    return steps;
  }
}

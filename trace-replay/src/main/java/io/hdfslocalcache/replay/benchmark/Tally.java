/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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

  private final Timeline timeline = new Timeline();
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
    timeline.add(start, end, length);
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
    timeline.add(other.timeline);
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

  /** @return what was done when. */
  public Timeline timeline() {
    return timeline;
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
    timeline.write(out);
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
    timeline.readFields(in);
  }

  /**
   * What was read in each second since the readers began, and how many of them were waiting for a
   * read then. Not thread-safe.
   */
  public static final class Timeline implements Writable {

    /** Length of a step. */
    public static final long STEP_MILLIS = 1000;
    /** Reads that end later are counted in the last step. */
    private static final int MAX_STEPS = 1_000_000;
    private static final int READS = 0;
    private static final int BYTES = 1;
    private static final int WAITED_MILLIS = 2;

    private final List<long[]> steps = new ArrayList<>();

    /**
     * Counts a read.
     *
     * @param startMillis when it began, since the readers began; what was earlier counts as 0
     * @param endMillis when it ended
     * @param length bytes that were read
     */
    void add(long startMillis, long endMillis, long length) {
      long start = Math.max(0, startMillis);
      long end = Math.max(start, endMillis);
      int last = step(end);
      at(last)[READS]++;
      at(last)[BYTES] += length;
      for (int i = step(start); i <= last; i++) {
        at(i)[WAITED_MILLIS] += Math.min(end, endOf(i)) - Math.max(start, i * STEP_MILLIS);
      }
    }

    private static long endOf(int step) {
      return step == MAX_STEPS - 1 ? Long.MAX_VALUE : (step + 1) * STEP_MILLIS;
    }

    private static int step(long millis) {
      return (int) Math.min(millis / STEP_MILLIS, MAX_STEPS - 1);
    }

    private long[] at(int step) {
      while (steps.size() <= step) {
        steps.add(new long[WAITED_MILLIS + 1]);
      }
      return steps.get(step);
    }

    /** Adds what another reader did in the same time. */
    void add(Timeline other) {
      for (int i = 0; i < other.steps.size(); i++) {
        for (int counted = 0; counted <= WAITED_MILLIS; counted++) {
          at(i)[counted] += other.steps.get(i)[counted];
        }
      }
    }

    /** @return number of steps up to the end of the last read. */
    int steps() {
      return steps.size();
    }

    /** @return reads that ended in a step. */
    long reads(int step) {
      return steps.get(step)[READS];
    }

    /** @return bytes of the reads that ended in a step. */
    long bytes(int step) {
      return steps.get(step)[BYTES];
    }

    /** @return reads that were being waited for in a step, on average over its time. */
    double waiting(int step) {
      return (double) steps.get(step)[WAITED_MILLIS] / STEP_MILLIS;
    }

    @Override
    public void write(DataOutput out) throws IOException {
      WritableUtils.writeVInt(out, steps.size());
      for (long[] step : steps) {
        for (long counted : step) {
          WritableUtils.writeVLong(out, counted);
        }
      }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      steps.clear();
      for (int left = WritableUtils.readVInt(in); left > 0; left--) {
        steps.add(new long[] {WritableUtils.readVLong(in), WritableUtils.readVLong(in),
            WritableUtils.readVLong(in)});
      }
    }
  }
}

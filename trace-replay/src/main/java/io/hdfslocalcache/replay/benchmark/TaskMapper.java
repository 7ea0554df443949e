/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** A task of a benchmark. */
public abstract class TaskMapper extends Mapper<LongWritable, Text, Text, Tally> {

  private static final long MICROS_PER_MILLI = 1000;
  private static final long SIGN_OF_LIFE_SECONDS = 10;

  @Override
  protected final void map(LongWritable offset, Text number, Context context)
      throws IOException, InterruptedException {
    int task = Integer.parseInt(number.toString());
    Clock clock = new Clock(context.getConfiguration().getLong(TaskJob.ORIGIN, 0));
    Thread alive = new Thread(() -> showLife(context), "sign-of-life");
    alive.setDaemon(true);
    alive.start();
    // Of its own: one that was shared could be closed by another task of the same process.
    try (FileSystem fs = FileSystem.newInstance(context.getConfiguration())) {
      prepare(task, fs, context);
      clock.sleepUntil(0);
      run(task, fs, clock, context);
    } finally {
      alive.interrupt();
    }
  }

  /** A task that only waits would be killed. */
  private static void showLife(Context context) {
    try {
      while (true) {
        TimeUnit.SECONDS.sleep(SIGN_OF_LIFE_SECONDS);
        context.progress();
      }
    } catch (InterruptedException e) {
      // The task is over.
    }
  }

  /** Gets ready before the job's start. */
  protected void prepare(int task, FileSystem fs, Context context) throws IOException {
    // Most tasks are.
  }

  /**
   * Does the task's work.
   *
   * @param task its number, from 0
   * @param fs what it reads and writes; closed afterwards
   * @param clock time since the job's start
   * @param context where tallies go, by {@link #end}
   * @throws IOException if the benchmark makes no sense any more
   */
  protected abstract void run(int task, FileSystem fs, Clock clock, Context context)
      throws IOException, InterruptedException;

  /** @return what the tasks are told; see {@link TaskJob#run}. */
  static <T> T order(Context context, Class<T> type) throws IOException {
    return new ObjectMapper().readValue(
        context.getConfiguration().get(TaskJob.ORDER), type);
  }

  /**
   * Hands over what was counted.
   *
   * @param name tallies with the same name are added up
   * @param micros how long the task worked for it
   */
  static void end(String name, Tally tally, long micros, Context context)
      throws IOException, InterruptedException {
    tally.addTaskMillis(micros / MICROS_PER_MILLI);
    context.write(new Text(name), tally);
  }

  /**
   * Reads a file from beginning to end.
   *
   * @param length bytes that it must have
   * @param buffer for one read; each is counted as an operation
   */
  static void readAll(FileSystem fs, Path file, long length, byte[] buffer, Clock clock,
      Tally tally) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      for (long at = 0; at < length;) {
        long start = clock.micros();
        int n = in.readNBytes(buffer, 0, (int) Math.min(buffer.length, length - at));
        if (n == 0) {
          throw new EOFException(file + " ends at " + at + " instead of " + length);
        }
        tally.add(start, clock.micros(), n);
        at += n;
      }
    }
  }

  /**
   * Time since a moment that all tasks of a job have been told. The machines' clocks should agree:
   * what they differ, the tasks begin at different times.
   */
  public static final class Clock {

    private final long originNanos;

    /** @param originMillis the moment, in milliseconds since 1970; it may be to come */
    public Clock(long originMillis) {
      this.originNanos = System.nanoTime()
          + TimeUnit.MILLISECONDS.toNanos(originMillis - System.currentTimeMillis());
    }

    /** @return microseconds since the moment; negative before. */
    public long micros() {
      return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - originNanos);
    }

    /** Waits until so many milliseconds after the moment. */
    public void sleepUntil(long millis) throws InterruptedException {
      long left = TimeUnit.MILLISECONDS.toMicros(millis) - micros();
      if (left > 0) {
        TimeUnit.MICROSECONDS.sleep(left);
      }
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.replay.benchmark.ReplayPlan.Operation;
import io.hdfslocalcache.replay.cluster.LineJob;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays the reads of one or several readers in order, with several threads, each at its time or
 * later.
 */
public final class ReplayMapper extends Mapper<LongWritable, Text, Text, Tally> {

  private static final String ORIGIN = "local.cache.benchmark.origin";
  private static final String DATA = "local.cache.benchmark.data";
  /** By default, the LocalJobRunner runs one task at a time. */
  private static final String LOCAL_TASKS = "mapreduce.local.map.tasks.maximum";
  /** Most reads in progress of a task. */
  static final int THREADS = 8;
  /** A read that begins later than this after its time is late. */
  static final long LATE_MILLIS = 100;
  private static final Logger LOG = LoggerFactory.getLogger(ReplayMapper.class);
  private static final long MICROS_PER_MILLI = 1000;
  /** Most bytes of a request, limited by a buffer. */
  private static final int MAX_PIECE = 16 << 20;
  private static final int FIRST_BUFFER = 1 << 16;

  private List<Operation> operations = List.of();
  private Clock clock;
  private FileSystem fs;
  private Path data;
  /**
   * Open files, one stream each for all threads, which do positioned reads only: the NameNode is
   * not measured.
   */
  private final ConcurrentMap<Integer, FSDataInputStream> open = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();

  /**
   * Runs a job to its end, and adds up its tasks' counts.
   *
   * @param tasks number of tasks
   * @param startMillis when they all begin, in milliseconds since 1970
   * @param input directory with a file of reads for each task
   * @param data directory with the files to read
   * @param output directory that the job creates
   * @throws IOException if the job fails
   */
  static Tally run(Configuration conf, int tasks, long startMillis, Path input, Path data,
      Path output) throws IOException, InterruptedException {
    Configuration settings = new Configuration(conf);
    settings.set(DATA, data.toString());
    settings.setLong(ORIGIN, startMillis);
    settings.setInt(LOCAL_TASKS, Math.max(1, tasks));
    // A second attempt would repeat the reads of the first, at other times.
    settings.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    settings.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1);
    LineJob.run(LineJob.of(
        settings, "local cache replay", ReplayMapper.class, input, output, Tally.class));
    Tally sum = new Tally();
    LineJob.forEach(conf, output, new Tally(), (task, tally) -> sum.add(tally));
    return sum;
  }

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    List<Operation> reads = new ArrayList<>();
    // A separate one: another task of the same process could close a shared one.
    try (Closeable life = LineJob.showLife(context);
         FileSystem own = FileSystem.newInstance(conf)) {
      while (context.nextKeyValue()) {
        reads.add(Operation.parse(context.getCurrentValue().toString()));
      }
      context.write(new Text(context.getTaskAttemptID().toString()), replay(
          own, new Path(conf.get(DATA)), reads, new Clock(conf.getLong(ORIGIN, 0)), THREADS));
    }
  }

  /** Does the reads, with a limited number in progress. */
  Tally replay(FileSystem from, Path directory, List<Operation> reads, Clock begin, int most)
      throws IOException, InterruptedException {
    fs = from;
    data = directory;
    operations = reads;
    clock = begin;
    clock.sleepUntil(0);
    int threads = Math.min(most, Math.max(1, operations.size()));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    Tally sum = new Tally();
    try {
      for (Future<Tally> thread
          : pool.invokeAll(Collections.<Callable<Tally>>nCopies(threads, this::readOn))) {
        sum.add(thread.get());
      }
      return sum;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      pool.shutdownNow();
      for (FSDataInputStream in : open.values()) {
        in.close();
      }
    }
  }

  /** Does reads until none are left. @return this thread's counts */
  private Tally readOn() throws InterruptedException {
    Tally done = new Tally();
    byte[] buffer = new byte[FIRST_BUFFER];
    for (int i = next.getAndIncrement(); i < operations.size(); i = next.getAndIncrement()) {
      Operation operation = operations.get(i);
      int piece = Math.min(MAX_PIECE, operation.length());
      if (piece > buffer.length) {
        buffer = new byte[piece];
      }
      clock.sleepUntil(operation.atMillis());
      read(operation, buffer, done);
    }
    return done;
  }

  private void read(Operation operation, byte[] buffer, Tally tally) {
    long start = clock.micros();
    long behind = start / MICROS_PER_MILLI - operation.atMillis();
    if (behind > LATE_MILLIS) {
      tally.addLate(behind);
    }
    try {
      long end = operation.offset() + operation.length();
      for (long at = operation.offset(); at < end; at += MAX_PIECE) {
        stream(operation.file()).readFully(
            at, buffer, 0, (int) Math.min(MAX_PIECE, end - at));
      }
      tally.add(start, clock.micros(), operation.length());
    } catch (IOException e) {
      LOG.warn("Failed: {}", operation, e);
      tally.addFailed();
    }
  }

  private FSDataInputStream stream(int file) throws IOException {
    FSDataInputStream in = open.get(file);
    if (in != null) {
      return in;
    }
    FSDataInputStream opened = fs.open(new Path(data, ReplayPlan.file(file)));
    FSDataInputStream before = open.putIfAbsent(file, opened);
    if (before == null) {
      return opened;
    }
    opened.close();
    return before;
  }

  /**
   * Time since a common start of all tasks of a job. The machines' clocks should agree, because the
   * tasks start by them.
   */
  static final class Clock {

    private final long originNanos;

    /** @param originMillis the start, in milliseconds since 1970; may be in the future */
    Clock(long originMillis) {
      this.originNanos = System.nanoTime()
          + TimeUnit.MILLISECONDS.toNanos(originMillis - System.currentTimeMillis());
    }

    /** @return microseconds since the start; negative before. */
    long micros() {
      return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - originNanos);
    }

    /** Waits until so many milliseconds after the start. */
    void sleepUntil(long millis) throws InterruptedException {
      long left = TimeUnit.MILLISECONDS.toMicros(millis) - micros();
      if (left > 0) {
        TimeUnit.MICROSECONDS.sleep(left);
      }
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.replay.benchmark.ReplayTasks.Operation;
import io.hdfslocalcache.replay.cluster.LineJob;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the reads of one reader, or of several, in their order by several threads, each at its time
 * or after it.
 */
public final class ReplayMapper extends Mapper<LongWritable, Text, Text, Tally> {

  /** When the tasks begin, in milliseconds since 1970. */
  static final String ORIGIN = "local.cache.benchmark.origin";
  /** What the tasks are told, as JSON. */
  static final String ORDER = "local.cache.benchmark.order";
  /** By default, the LocalJobRunner runs one task at a time. */
  private static final String LOCAL_TASKS = "mapreduce.local.map.tasks.maximum";

  private static final Logger LOG = LoggerFactory.getLogger(ReplayMapper.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MICROS_PER_MILLI = 1000;
  /** What one request may ask for: a buffer must hold it. */
  private static final int MAX_PIECE = 16 << 20;
  private static final int FIRST_BUFFER = 1 << 16;

  private Order order;
  private ReplayTasks.Task reads;
  private Clock clock;
  private FileSystem fs;
  /**
   * Files stay open, a stream for all threads, which do positioned reads only: the NameNode is not
   * what is measured.
   */
  private final ConcurrentMap<Integer, FSDataInputStream> open = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();

  /**
   * What the tasks are told.
   *
   * @param input directory with the reads to do
   * @param threads reads in progress at most
   * @param lateMillis a read that begins later than this after its time is late
   */
  record Order(String input, int threads, long lateMillis) {
  }

  /**
   * Runs a job to its end, and adds up what its tasks have counted.
   *
   * @param tasks how many
   * @param startMillis when they all begin, in milliseconds since 1970
   * @param directory where the job may write; made here
   * @return the sum over the tasks
   * @throws IOException if the job fails
   */
  static Tally run(Configuration conf, int tasks, long startMillis, Path directory,
      Order order) throws IOException, InterruptedException {
    Configuration settings = new Configuration(conf);
    settings.set(ORDER, JSON.writeValueAsString(order));
    settings.setLong(ORIGIN, startMillis);
    settings.setInt(LOCAL_TASKS, Math.max(1, tasks));
    // A second attempt would read what the first has read already, and at another time.
    settings.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    settings.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1);
    Path output = new Path(directory, "tallies");
    Job job = LineJob.of(settings, "local cache replay", ReplayMapper.class,
        new Path(directory, "tasks"),
        IntStream.range(0, tasks).mapToObj(Integer::toString).toList(), output);
    job.setOutputValueClass(Tally.class);
    LineJob.run(job);
    Tally sum = new Tally();
    LineJob.forEach(conf, output, new Tally(), (task, tally) -> sum.add(tally));
    return sum;
  }

  @Override
  protected void map(LongWritable offset, Text number, Context context)
      throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    order = JSON.readValue(conf.get(ORDER), Order.class);
    clock = new Clock(conf.getLong(ORIGIN, 0));
    // Of its own: one that was shared could be closed by another task of the same process.
    try (LineJob.Life life = LineJob.showLife(context);
         FileSystem own = FileSystem.newInstance(conf)) {
      fs = own;
      reads = ReplayTasks.read(fs, new Path(order.input()), Integer.parseInt(number.toString()));
      clock.sleepUntil(0);
      context.write(number, readAll());
    }
  }

  private Tally readAll() throws IOException, InterruptedException {
    int threads = Math.min(order.threads(), Math.max(1, reads.operations().size()));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    Tally sum = new Tally();
    try {
      List<Future<Tally>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(pool.submit(this::readOn));
      }
      for (Future<Tally> thread : running) {
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

  /** Does reads until there are none left. @return what this thread has done */
  private Tally readOn() throws InterruptedException {
    Tally done = new Tally();
    byte[] buffer = new byte[FIRST_BUFFER];
    for (int i = next.getAndIncrement(); i < reads.operations().size();
        i = next.getAndIncrement()) {
      Operation operation = reads.operations().get(i);
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
    if (behind > order.lateMillis()) {
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
    FSDataInputStream opened = fs.open(reads.files().get(file));
    FSDataInputStream before = open.putIfAbsent(file, opened);
    if (before == null) {
      return opened;
    }
    opened.close();
    return before;
  }

  /**
   * Time since a moment that all tasks of a job have been told. The machines' clocks should agree:
   * what they differ, the tasks begin at different times.
   */
  static final class Clock {

    private final long originNanos;

    /** @param originMillis the moment, in milliseconds since 1970; it may be to come */
    Clock(long originMillis) {
      this.originNanos = System.nanoTime()
          + TimeUnit.MILLISECONDS.toNanos(originMillis - System.currentTimeMillis());
    }

    /** @return microseconds since the moment; negative before. */
    long micros() {
      return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - originNanos);
    }

    /** Waits until so many milliseconds after the moment. */
    void sleepUntil(long millis) throws InterruptedException {
      long left = TimeUnit.MILLISECONDS.toMicros(millis) - micros();
      if (left > 0) {
        TimeUnit.MICROSECONDS.sleep(left);
      }
    }
  }
}

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
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.replay.benchmark.ReplayTasks.Operation;
import io.hdfslocalcache.replay.benchmark.TaskMapper.Clock;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the reads of one reader, or of several, in their order by several threads, each at its time
 * or after it.
 */
public final class ReplayMapper extends TaskMapper {

  private static final Logger LOG = LoggerFactory.getLogger(ReplayMapper.class);
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
   * @param warmUpMillis reads whose time is before this are tallied apart
   */
  record Order(String input, int threads, long lateMillis, long warmUpMillis) {
  }

  /**
   * What was done, the warm-up apart.
   *
   * @param warmUp reads that belong to the warm-up
   * @param main all others
   */
  private record Done(Tally warmUp, Tally main) {
    Done() {
      this(new Tally(), new Tally());
    }

    void add(Done other) {
      warmUp.add(other.warmUp);
      main.add(other.main);
    }
  }

  @Override
  protected void prepare(int task, FileSystem ofTask, Context context) throws IOException {
    fs = ofTask;
    order = order(context, Order.class);
    reads = ReplayTasks.read(fs, new Path(order.input()), task);
  }

  @Override
  protected void run(int task, FileSystem ofTask, Clock ofJob, Context context)
      throws IOException, InterruptedException {
    clock = ofJob;
    int threads = Math.min(order.threads(), Math.max(1, reads.operations().size()));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    Done sum = new Done();
    long begin = clock.micros();
    try {
      List<Future<Done>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(pool.submit(this::readOn));
      }
      for (Future<Done> thread : running) {
        sum.add(thread.get());
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      pool.shutdownNow();
      for (FSDataInputStream in : open.values()) {
        in.close();
      }
    }
    end("replay", sum.main(), clock.micros() - begin, context);
    if (order.warmUpMillis() > 0) {
      end(Phase.WARM_UP, sum.warmUp(), 0, context);
    }
  }

  /** Does reads until there are none left. @return what this thread has done */
  private Done readOn() throws InterruptedException {
    Done done = new Done();
    byte[] buffer = new byte[FIRST_BUFFER];
    for (int i = next.getAndIncrement(); i < reads.operations().size();
        i = next.getAndIncrement()) {
      Operation operation = reads.operations().get(i);
      int piece = Math.min(MAX_PIECE, operation.length());
      if (piece > buffer.length) {
        buffer = new byte[piece];
      }
      clock.sleepUntil(operation.atMillis());
      // By the read's own time: so the same reads are left out however slow the cluster is.
      read(operation, buffer,
          operation.atMillis() < order.warmUpMillis() ? done.warmUp() : done.main());
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
}

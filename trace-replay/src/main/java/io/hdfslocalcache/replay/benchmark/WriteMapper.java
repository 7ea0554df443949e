/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Random;

import io.hdfslocalcache.replay.benchmark.BenchmarkCommand.Bench;
import io.hdfslocalcache.replay.benchmark.TaskMapper.Clock;
import io.hdfslocalcache.replay.text.Text;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Writes every n-th of some files of the same length; n is the number of tasks. */
public final class WriteMapper extends TaskMapper {

  private static final int BUFFER = 1 << 16;
  private static final int CHUNK = 1 << 20;

  /** What the tasks are told. */
  record Order(String directory, int files, int tasks, long length, long blockSize) {
  }

  /**
   * Writes files by a job whose tasks begin as soon as each can.
   *
   * @param name of the job
   * @param length bytes of each file
   * @return what was measured
   */
  static Map<String, Tally> write(Bench bench, String name, Path directory, int files,
      int tasks, long length, long blockSize) throws IOException, InterruptedException {
    return new TaskJob(name, WriteMapper.class, tasks, System.currentTimeMillis(),
        new Path(bench.jobs(), name.replace(' ', '-')))
        .run(bench, new Order(directory.toString(), files, tasks, length, blockSize));
  }

  /** @return the file of a number from 0. */
  static Path file(Path directory, int number) {
    return new Path(directory, Text.format("file-%06d", number));
  }

  /** @return bytes that do not compress; the same seed gives the same bytes. */
  static byte[] filler(long seed) {
    byte[] chunk = new byte[CHUNK];
    new Random(seed).nextBytes(chunk);
    return chunk;
  }

  /** Writes so many bytes: the filler, again and again. */
  static void fill(OutputStream out, long length, byte[] filler) throws IOException {
    for (long left = length; left > 0; left -= filler.length) {
      out.write(filler, 0, (int) Math.min(filler.length, left));
    }
  }

  @Override
  protected void run(int task, FileSystem fs, Clock clock, Context context)
      throws IOException, InterruptedException {
    Order order = order(context, Order.class);
    byte[] filler = filler(task);
    Tally tally = new Tally();
    long begin = clock.micros();
    for (int i = task; i < order.files(); i += order.tasks()) {
      Path file = file(new Path(order.directory()), i);
      long start = clock.micros();
      try (OutputStream out = fs.create(file, true, BUFFER, fs.getDefaultReplication(file),
               order.blockSize())) {
        fill(out, order.length(), filler);
      }
      tally.add(start, clock.micros(), order.length());
    }
    end("write", tally, clock.micros() - begin, context);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Random;

import io.hdfslocalcache.replay.benchmark.measure.Clock;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;

/** Writes every n-th of some files of the same length; n is the number of tasks. */
public final class WriteMapper extends TaskMapper {

  private static final String DIRECTORY = "local.cache.benchmark.write.directory";
  private static final String FILES = "local.cache.benchmark.write.files";
  private static final String TASKS = "local.cache.benchmark.write.tasks";
  private static final String LENGTH = "local.cache.benchmark.write.length";
  private static final String BLOCK_SIZE = "local.cache.benchmark.write.block.size";
  private static final int BUFFER = 1 << 16;
  private static final int CHUNK = 1 << 20;

  /**
   * Writes files by a job whose tasks begin as soon as each can.
   *
   * @param name of the job
   * @param length bytes of each file
   * @return what was measured
   */
  public static Map<String, Tally> write(Bench bench, String name, Path directory, int files,
      int tasks, long length, long blockSize) throws IOException, InterruptedException {
    Configuration conf = new Configuration(bench.conf());
    conf.set(DIRECTORY, directory.toString());
    conf.setInt(FILES, files);
    conf.setInt(TASKS, tasks);
    conf.setLong(LENGTH, length);
    conf.setLong(BLOCK_SIZE, blockSize);
    return new TaskJob(name, WriteMapper.class, tasks, System.currentTimeMillis(),
        new Path(bench.jobs(), name.replace(' ', '-'))).run(bench, conf);
  }

  /** @return the file of a number from 0. */
  static Path file(Path directory, int number) {
    return new Path(directory, String.format("file-%06d", number));
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
    Configuration conf = context.getConfiguration();
    Path directory = new Path(conf.get(DIRECTORY));
    long length = conf.getLong(LENGTH, 0);
    byte[] filler = filler(task);
    Tally tally = new Tally();
    long begin = clock.micros();
    for (int i = task; i < conf.getInt(FILES, 0); i += conf.getInt(TASKS, 1)) {
      Path file = file(directory, i);
      long start = clock.micros();
      try (OutputStream out = fs.create(file, true, BUFFER, fs.getDefaultReplication(file),
               conf.getLong(BLOCK_SIZE, 0))) {
        fill(out, length, filler);
      }
      tally.add(start, clock.micros(), length);
    }
    tally.addTaskMillis((clock.micros() - begin) / 1000);
    context.write(new Text("write"), tally);
  }
}

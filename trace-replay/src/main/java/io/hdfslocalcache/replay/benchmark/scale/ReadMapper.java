/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.scale;

import java.io.IOException;
import java.util.Random;

import io.hdfslocalcache.replay.benchmark.job.TaskMapper;
import io.hdfslocalcache.replay.benchmark.job.Whole;
import io.hdfslocalcache.replay.benchmark.measure.Clock;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;

/** Reads one of the files: all of it, or at random places. */
public final class ReadMapper extends TaskMapper {

  private static final String DIRECTORY = "local.cache.benchmark.read.directory";
  private static final String FILES = "local.cache.benchmark.read.files";
  private static final String LENGTH = "local.cache.benchmark.read.length";
  private static final String SIZE = "local.cache.benchmark.read.size";
  private static final String PASSES = "local.cache.benchmark.read.passes";
  private static final String RANDOM = "local.cache.benchmark.read.random";
  private static final String SEED = "local.cache.benchmark.read.seed";

  /** Tells the tasks what to read. */
  static void configure(Configuration conf, Path directory, Scale.Options options) {
    conf.set(DIRECTORY, directory.toString());
    conf.setInt(FILES, options.files());
    conf.setLong(LENGTH, options.bytes());
    conf.setInt(SIZE, options.readSize());
    conf.setInt(PASSES, options.passes());
    conf.setBoolean(RANDOM, options.random());
    conf.setLong(SEED, options.seed());
  }

  @Override
  protected void run(int task, FileSystem fs, Clock clock, Context context)
      throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    Path file = WriteMapper.file(new Path(conf.get(DIRECTORY)), task % conf.getInt(FILES, 1));
    long length = conf.getLong(LENGTH, 0);
    byte[] buffer = new byte[conf.getInt(SIZE, 0)];
    Tally tally = new Tally();
    long begin = clock.micros();
    for (int pass = 0; pass < conf.getInt(PASSES, 1); pass++) {
      if (conf.getBoolean(RANDOM, false)) {
        readAtRandom(fs, file, length, buffer, clock, tally,
            new Random(conf.getLong(SEED, 0) * 31 + task + 1_000_003L * pass));
      } else {
        Whole.read(fs, file, length, buffer, clock, tally);
      }
    }
    tally.addTaskMillis((clock.micros() - begin) / 1000);
    context.write(new Text("read"), tally);
  }

  /** As many bytes as the file has, in multiples of the size of a read. */
  private static void readAtRandom(FileSystem fs, Path file, long length, byte[] buffer,
      Clock clock, Tally tally, Random random) throws IOException {
    long places = Math.max(1, length / buffer.length);
    int size = (int) Math.min(buffer.length, length);
    try (FSDataInputStream in = fs.open(file)) {
      for (long i = 0; i < places; i++) {
        long offset = (long) (random.nextDouble() * places) * size;
        long start = clock.micros();
        in.readFully(offset, buffer, 0, size);
        tally.add(start, clock.micros(), size);
      }
    }
  }
}

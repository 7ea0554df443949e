/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.scale;

import java.io.IOException;
import java.io.OutputStream;

import io.hdfslocalcache.replay.benchmark.Filler;
import io.hdfslocalcache.replay.benchmark.job.TaskMapper;
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

  /** Tells the tasks what to write. */
  public static void configure(Configuration conf, Path directory, int files, int tasks,
      long length, long blockSize) {
    conf.set(DIRECTORY, directory.toString());
    conf.setInt(FILES, files);
    conf.setInt(TASKS, tasks);
    conf.setLong(LENGTH, length);
    conf.setLong(BLOCK_SIZE, blockSize);
  }

  /** @return the file of a number from 0. */
  public static Path file(Path directory, int number) {
    return new Path(directory, String.format("file-%06d", number));
  }

  @Override
  protected void run(int task, FileSystem fs, Clock clock, Context context)
      throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    Path directory = new Path(conf.get(DIRECTORY));
    long length = conf.getLong(LENGTH, 0);
    Tally tally = new Tally();
    long begin = clock.micros();
    Filler filler = new Filler(task);
    for (int i = task; i < conf.getInt(FILES, 0); i += conf.getInt(TASKS, 1)) {
      Path file = file(directory, i);
      long start = clock.micros();
      try (OutputStream out = fs.create(file, true, BUFFER, fs.getDefaultReplication(file),
               conf.getLong(BLOCK_SIZE, 0))) {
        filler.write(out, length);
      }
      tally.add(start, clock.micros(), length);
    }
    tally.addTaskMillis((clock.micros() - begin) / 1000);
    context.write(new Text("write"), tally);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.baseline;

import java.io.IOException;

import io.hdfslocalcache.replay.benchmark.job.TaskMapper;
import io.hdfslocalcache.replay.benchmark.job.Whole;
import io.hdfslocalcache.replay.benchmark.measure.Clock;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;

/** Reads the file as often as it is told. */
public final class BaselineMapper extends TaskMapper {

  static final String FILE = "local.cache.benchmark.baseline.file";
  static final String LENGTH = "local.cache.benchmark.baseline.length";
  static final String PASSES = "local.cache.benchmark.baseline.passes";
  static final String BUFFER = "local.cache.benchmark.baseline.buffer";

  @Override
  protected void run(int task, FileSystem fs, Clock clock, Context context)
      throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    Path file = new Path(conf.get(FILE));
    byte[] buffer = new byte[conf.getInt(BUFFER, 0)];
    int passes = conf.getInt(PASSES, 0);
    for (int pass = 1; pass <= passes; pass++) {
      Tally tally = new Tally();
      long start = clock.micros();
      Whole.read(fs, file, conf.getLong(LENGTH, 0), buffer, clock, tally);
      tally.addTaskMillis((clock.micros() - start) / 1000);
      context.write(new Text(String.format("pass %03d", pass)), tally);
    }
  }
}

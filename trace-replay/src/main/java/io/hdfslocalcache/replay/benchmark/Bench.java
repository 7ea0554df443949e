/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;

import io.hdfslocalcache.replay.benchmark.job.TaskJob;
import io.hdfslocalcache.replay.benchmark.job.TaskMapper;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * What a benchmark runs on.
 *
 * @param conf the cluster's configuration; not changed
 * @param hdfs the file system
 * @param directory where the benchmark may write; deleted afterwards
 * @param out where progress is told
 */
public record Bench(Configuration conf, DistributedFileSystem hdfs, Path directory,
    PrintStream out) {

  /** Tells the user what is done. */
  public void say(String text) {
    out.println(text);
  }

  /** Runs tasks that begin as soon as each can. */
  public Map<String, Tally> runNow(String name, Class<? extends TaskMapper> mapper, int tasks,
      Configuration settings) throws IOException, InterruptedException {
    return TaskJob.run(settings, new TaskJob.Order(name, mapper, tasks,
        System.currentTimeMillis(), new Path(directory, "jobs/" + name.replace(' ', '-'))));
  }
}

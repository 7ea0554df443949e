/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.PrintStream;

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

  /** @return where the jobs' tallies are, which are kept with the results. */
  Path jobs() {
    return new Path(directory, "jobs");
  }
}

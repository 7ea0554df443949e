/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * What a benchmark runs on.
 *
 * @param conf the cluster's configuration; not changed
 * @param hdfs the file system
 * @param directory where the benchmark may write; deleted afterwards
 */
record Bench(Configuration conf, DistributedFileSystem hdfs, Path directory) {

  /** Tells the user what is done. */
  void say(String text) {
    System.out.println(text);
  }

  /** @return where the jobs' tallies are, which are kept with the results. */
  Path jobs() {
    return new Path(directory, "jobs");
  }
}

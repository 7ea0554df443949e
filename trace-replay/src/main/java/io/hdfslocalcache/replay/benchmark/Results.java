/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;

/**
 * The directory of a benchmark's results, in any file system. It has another name until it is
 * complete, as that of a MapReduce job.
 */
final class Results {

  private final FileSystem fs;
  private final Path directory;
  private final Path temporary;

  /** @param directory what is to be made */
  Results(Path directory, Configuration conf) throws IOException {
    this.fs = directory.getFileSystem(conf);
    this.directory = fs.makeQualified(directory);
    this.temporary = new Path(this.directory.getParent(), "_temporary-" + directory.getName());
    checkNew();
  }

  private void checkNew() throws IOException {
    if (fs.exists(directory)) {
      throw new IOException(directory + ": exists already; name another directory");
    }
  }

  /** @return the directory. */
  Path directory() {
    return directory;
  }

  void begin() throws IOException {
    fs.delete(temporary, true);
    if (!fs.mkdirs(temporary)) {
      throw new IOException(temporary + ": cannot be made");
    }
  }

  /** Writes a file of text. */
  void write(String name, String text) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(temporary, name), false)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  void keepTallies(FileSystem from, Path jobs) throws IOException {
    FileUtil.copy(from, jobs, fs, new Path(temporary, "tallies"), false, fs.getConf());
  }

  void complete() throws IOException {
    checkNew();
    if (!fs.rename(temporary, directory)) {
      throw new IOException(directory + ": cannot be made of " + temporary);
    }
  }

  void discard() throws IOException {
    fs.delete(temporary, true);
  }
}

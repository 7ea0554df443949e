/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The directory of a command's results, in any file system. It has another name until it is
 * complete, as that of a MapReduce job.
 */
public final class Results {

  private final FileSystem fs;
  private final Path directory;
  private final Path temporary;

  /** @param directory what is to be made */
  public Results(Path directory, Configuration conf) throws IOException {
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
  public Path directory() {
    return directory;
  }

  /** @return something in the directory that is not complete yet. */
  public Path path(String name) {
    return new Path(temporary, name);
  }

  /** Makes the directory that is not complete yet. */
  public void begin() throws IOException {
    fs.delete(temporary, true);
    if (!fs.mkdirs(temporary)) {
      throw new IOException(temporary + ": cannot be made");
    }
  }

  /** Writes a file of text. */
  public void write(String name, String text) throws IOException {
    try (FSDataOutputStream out = fs.create(path(name), false)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Gives the directory its name. @throws IOException if there is something of that name */
  public void complete() throws IOException {
    checkNew();
    if (!fs.rename(temporary, directory)) {
      throw new IOException(directory + ": cannot be made of " + temporary);
    }
  }

  /** Deletes what is not complete. */
  public void discard() throws IOException {
    fs.delete(temporary, true);
  }
}

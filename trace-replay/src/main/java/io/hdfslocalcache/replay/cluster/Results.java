/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.hdfslocalcache.harness.Report;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The directory of a command's results, in any file system. It has a temporary name until it is
 * complete, like that of a MapReduce job; if it is closed before, it is deleted.
 */
public final class Results implements Closeable {

  private final FileSystem fs;
  private final Path directory;
  private final Path temporary;

  /** @param directory the new directory; fails if the path exists */
  public Results(Path directory, Configuration conf) throws IOException {
    this.fs = directory.getFileSystem(conf);
    this.directory = fs.makeQualified(directory);
    this.temporary = new Path(this.directory.getParent(), "_temporary-" + directory.getName());
    checkNew();
    fs.delete(temporary, true);
    if (!fs.mkdirs(temporary)) {
      throw new IOException(temporary + ": cannot be created");
    }
  }

  private void checkNew() throws IOException {
    if (fs.exists(directory)) {
      throw new IOException(directory + ": exists already; name another directory");
    }
  }

  /** @return a path in the temporary directory. */
  public Path path(String name) {
    return new Path(temporary, name);
  }

  /** Writes a file of text. */
  public void write(String name, String text) throws IOException {
    try (FSDataOutputStream out = fs.create(path(name), false)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Writes a report in all its forms, prints it, and gives the directory its final name.
   *
   * @param json the same for programs
   * @throws IOException if the path exists
   */
  public void complete(Report report, Object json) throws IOException {
    write("report.txt", report.text());
    write("report.json", Report.json(json));
    write("report.html", report.html());
    checkNew();
    if (!fs.rename(temporary, directory)) {
      throw new IOException(directory + ": cannot be renamed from " + temporary);
    }
    System.out.print(report.text() + "\nResults: " + directory + "\n");
  }

  @Override
  public void close() throws IOException {
    fs.delete(temporary, true);
  }
}

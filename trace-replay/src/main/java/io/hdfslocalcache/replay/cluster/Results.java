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
 * The directory of a command's results, in any file system. It has another name until it is
 * complete, as that of a MapReduce job; if it is closed before that, nothing is left of it.
 */
public final class Results implements Closeable {

  private final FileSystem fs;
  private final Path directory;
  private final Path temporary;

  /** @param directory what is to be made; if there is something of that name, this fails */
  public Results(Path directory, Configuration conf) throws IOException {
    this.fs = directory.getFileSystem(conf);
    this.directory = fs.makeQualified(directory);
    this.temporary = new Path(this.directory.getParent(), "_temporary-" + directory.getName());
    checkNew();
    fs.delete(temporary, true);
    if (!fs.mkdirs(temporary)) {
      throw new IOException(temporary + ": cannot be made");
    }
  }

  private void checkNew() throws IOException {
    if (fs.exists(directory)) {
      throw new IOException(directory + ": exists already; name another directory");
    }
  }

  /** @return something in the directory that is not complete yet. */
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
   * Writes a report in all its forms and prints it, and gives the directory its name.
   *
   * @param json the same for programs
   * @throws IOException if there is something of that name
   */
  public void complete(Report report, Object json) throws IOException {
    write("report.txt", report.text());
    write("report.json", Report.json(json));
    write("report.html", report.html());
    checkNew();
    if (!fs.rename(temporary, directory)) {
      throw new IOException(directory + ": cannot be made of " + temporary);
    }
    System.out.print(report.text() + "\nResults: " + directory + "\n");
  }

  @Override
  public void close() throws IOException {
    fs.delete(temporary, true);
  }
}

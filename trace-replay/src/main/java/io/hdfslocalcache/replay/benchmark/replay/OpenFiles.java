/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Files that stay open for positioned reads, as the NameNode is not what is measured. */
final class OpenFiles implements AutoCloseable {

  private final FileSystem fs;
  private final List<Path> files;
  private final ConcurrentMap<Integer, FSDataInputStream> open = new ConcurrentHashMap<>();

  OpenFiles(FileSystem fs, List<Path> files) {
    this.fs = fs;
    this.files = files;
  }

  /** @return a stream for all threads, for positioned reads only. */
  FSDataInputStream get(int file) throws IOException {
    FSDataInputStream in = open.get(file);
    if (in != null) {
      return in;
    }
    FSDataInputStream opened = fs.open(files.get(file));
    FSDataInputStream before = open.putIfAbsent(file, opened);
    if (before == null) {
      return opened;
    }
    opened.close();
    return before;
  }

  @Override
  public void close() throws IOException {
    for (FSDataInputStream in : open.values()) {
      in.close();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The benchmark's files in HDFS, one block each. */
final class Files {

  private static final int BUFFER = 1 << 20;

  private final FileSystem fs;
  private final long length;
  /** Open streams that nobody reads from, by file. */
  private final Map<Integer, Deque<FSDataInputStream>> idle = new HashMap<>();

  Files(FileSystem fs, long length) {
    this.fs = fs;
    this.length = length;
  }

  static String name(int file) {
    return "/bench/" + file;
  }

  long length() {
    return length;
  }

  /** @return an open stream for the caller alone; kept from one slice to the next. */
  synchronized FSDataInputStream borrow(int file) throws IOException {
    Deque<FSDataInputStream> streams = idle.get(file);
    return streams == null || streams.isEmpty() ? open(file) : streams.pop();
  }

  synchronized void giveBack(int file, FSDataInputStream stream) {
    idle.computeIfAbsent(file, key -> new ArrayDeque<>()).push(stream);
  }

  FSDataInputStream open(int file) throws IOException {
    return fs.open(new Path(name(file)));
  }

  void write(int file) throws IOException {
    byte[] buffer = new byte[BUFFER];
    try (FSDataOutputStream out =
        fs.create(new Path(name(file)), true, BUFFER, (short) 1, length)) {
      for (long at = 0; at < length; at += BUFFER) {
        Content.fill(file, at, buffer);
        out.write(buffer, 0, (int) Math.min(BUFFER, length - at));
      }
    }
  }

  /** Reads the whole file in order. @return the number of bytes. */
  long read(int file, byte[] buffer, boolean check) throws IOException {
    long at = 0;
    try (FSDataInputStream in = open(file)) {
      int n = in.readNBytes(buffer, 0, buffer.length);
      while (n > 0) {
        if (check) {
          Content.check(file, at, buffer, n);
        }
        at += n;
        n = in.readNBytes(buffer, 0, buffer.length);
      }
    }
    if (at != length) {
      throw new IOException(name(file) + " has " + at + " bytes of " + length);
    }
    return at;
  }
}

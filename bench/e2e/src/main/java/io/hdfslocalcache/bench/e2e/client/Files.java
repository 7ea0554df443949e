/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The benchmark's files in HDFS, one block each. */
public final class Files {

  private static final int BUFFER = 1 << 20;

  private final FileSystem fs;
  private final long length;
  /** Open streams that nobody reads from, by file. */
  private final Map<Integer, Deque<FSDataInputStream>> idle = new HashMap<>();

  Files(FileSystem fs, long length) {
    this.fs = fs;
    this.length = length;
  }

  /** @return the name of a file in HDFS. */
  public static String name(int file) {
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

  /** What files hold: bytes that follow from file and offset, so that all can be checked. */
  static final class Content {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Content() {
    }

    /** Fills a buffer with what is at an offset, both multiples of 8. */
    static void fill(int file, long offset, byte[] buffer) {
      ByteBuffer target = ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN);
      for (long at = offset; target.remaining() >= Long.BYTES; at += Long.BYTES) {
        target.putLong(mix(((long) file << 48) + at));
      }
    }

    /** @throws IOException if one of the bytes, from a multiple of 8 on, is not what was written */
    static void check(int file, long offset, byte[] buffer, int length) throws IOException {
      ByteBuffer read = ByteBuffer.wrap(buffer, 0, length).order(ByteOrder.LITTLE_ENDIAN);
      for (long at = offset; read.remaining() >= Long.BYTES; at += Long.BYTES) {
        if (read.getLong() != mix(((long) file << 48) + at)) {
          throw new IOException("wrong bytes in " + Files.name(file) + " at " + at);
        }
      }
    }

    /** The finalizer of SplitMix64. */
    private static long mix(long z) {
      z = (z + GOLDEN) * GOLDEN;
      z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
      z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
      return z ^ z >>> 31;
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.job;

import java.io.EOFException;
import java.io.IOException;

import io.hdfslocalcache.replay.benchmark.measure.Clock;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Reads files from beginning to end. */
public final class Whole {

  private Whole() {
  }

  /**
   * Reads a file.
   *
   * @param length bytes that it must have
   * @param buffer for one read; each is counted as an operation
   */
  public static void read(FileSystem fs, Path file, long length, byte[] buffer, Clock clock,
      Tally tally) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      for (long at = 0; at < length;) {
        long start = clock.micros();
        int n = readFully(in, buffer, (int) Math.min(buffer.length, length - at));
        if (n == 0) {
          throw new EOFException(file + " ends at " + at + " instead of " + length);
        }
        tally.add(start, clock.micros(), n);
        at += n;
      }
    }
  }

  private static int readFully(FSDataInputStream in, byte[] buffer, int length)
      throws IOException {
    int have = 0;
    while (have < length) {
      int n = in.read(buffer, have, length - have);
      if (n < 0) {
        break;
      }
      have += n;
    }
    return have;
  }
}

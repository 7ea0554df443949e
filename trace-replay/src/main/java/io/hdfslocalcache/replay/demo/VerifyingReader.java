/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Reads files in HDFS as clients do, and compares every byte with the local file. Used by one
 * thread.
 */
final class VerifyingReader {

  /** Bytes of the largest positioned read that is one request. */
  static final int BUFFER = 64 << 10;

  private final FileSystem hdfs;
  private final Tally tally;
  private final byte[] actual = new byte[BUFFER];
  private final byte[] expected = new byte[BUFFER];

  /**
   * A file that clients read in HDFS, and the local file whose bytes it must have.
   *
   * @param inHdfs absolute path in HDFS
   * @param local the file to compare with
   * @param length bytes of both
   */
  record Source(String inHdfs, java.nio.file.Path local, long length) {

    /** @return the path in HDFS as a Hadoop path. */
    Path path() {
      return new Path(inHdfs);
    }
  }

  /**
   * Comparisons of all readers together. Thread-safe.
   *
   * @param reads correct reads, each an open, some bytes and a close
   * @param verifiedBytes bytes equal to the local file's
   * @param wrongBytes bytes that differ
   */
  record Tally(LongAdder reads, LongAdder verifiedBytes, LongAdder wrongBytes) {

    /** Starts at zero. */
    Tally() {
      this(new LongAdder(), new LongAdder(), new LongAdder());
    }
  }

  /** Reads through a client, and counts in a tally. */
  VerifyingReader(FileSystem hdfs, Tally tally) {
    this.hdfs = hdfs;
    this.tally = tally;
  }

  /**
   * Reads a range. If it ends with the file, both files must end there.
   *
   * @param positioned whether to use positioned reads, which request exactly these bytes
   * @throws IOException if a byte is wrong, as the message says, or cannot be read
   */
  void read(Source file, long offset, long length, boolean positioned) throws IOException {
    long end = offset + length;
    try (FSDataInputStream in = hdfs.open(file.path());
         FileChannel local = FileChannel.open(file.local(), StandardOpenOption.READ)) {
      if (!positioned) {
        in.seek(offset);
      }
      for (long at = offset; at < end; at += BUFFER) {
        int bytes = (int) Math.min(BUFFER, end - at);
        if (positioned) {
          in.readFully(at, actual, 0, bytes);
        } else {
          in.readFully(actual, 0, bytes);
        }
        compare(local, file, at, bytes);
      }
      if (end == file.length() && !positioned && (in.read() >= 0 || local.size() > end)) {
        throw wrong(file, end, "one of the two is longer");
      }
    } catch (EOFException e) {
      throw wrong(file, offset, "the file in HDFS is too short");
    }
    tally.reads().increment();
  }

  /** Compares bytes read with the local file's bytes at an offset. */
  private void compare(FileChannel local, Source file, long offset, int length)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(expected, 0, length);
    while (buffer.hasRemaining() && local.read(buffer, offset + buffer.position()) >= 0) {
      // Repeat until the buffer is full or the file ends.
    }
    int same = Arrays.mismatch(actual, 0, length, expected, 0, buffer.position());
    tally.verifiedBytes().add(same < 0 ? length : same);
    if (same >= 0) {
      throw wrong(file, offset + same, same == buffer.position() ? "the local file ends there"
          : String.format("0x%02x in HDFS, 0x%02x in the local file", actual[same], expected[same]));
    }
  }

  /** The error that must never happen. */
  private IOException wrong(Source file, long offset, String difference) {
    tally.wrongBytes().increment();
    return new IOException(file.inHdfs() + " differs from " + file.local() + " at offset " + offset
        + ": " + difference);
  }
}

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
 * Reads files in HDFS in the ways that clients do, and compares every byte with the local file.
 * For one thread. Each method throws {@link WrongByteException} at the first difference, and
 * another {@link IOException} if HDFS or the local file cannot be read.
 */
public final class VerifyingReader {

  private static final int BUFFER = 64 << 10;

  /**
   * A file that clients read in HDFS, and the local file whose bytes it must have.
   *
   * @param inHdfs absolute path in HDFS
   * @param local the file to compare with
   * @param length bytes that both have
   */
  public record Source(String inHdfs, java.nio.file.Path local, long length) {

    /** @return the path in HDFS as Hadoop has it. */
    public Path path() {
      return new Path(inHdfs);
    }
  }

  private final FileSystem hdfs;
  private final Tally tally;
  private final byte[] actual = new byte[BUFFER];
  private final byte[] expected = new byte[BUFFER];

  /** Reads through a client, and counts in a tally. */
  public VerifyingReader(FileSystem hdfs, Tally tally) {
    this.hdfs = hdfs;
    this.tally = tally;
  }

  /** Reads the whole file from its first byte to its end, which must be the local file's. */
  public void readAll(Source file) throws IOException {
    try (FSDataInputStream in = hdfs.open(file.path()); FileChannel local = open(file)) {
      stream(in, local, file, 0, file.length());
      if (in.read() >= 0) {
        throw wrong(WrongByteException.ofEnd(file, file.length(), "the local file"));
      }
      if (local.size() > file.length()) {
        throw wrong(WrongByteException.ofEnd(file, file.length(), "the file in HDFS"));
      }
    }
    tally.reads().increment();
  }

  /** Goes to an offset, reads on from there, and closes before the end. */
  public void readPart(Source file, long offset, long length) throws IOException {
    try (FSDataInputStream in = hdfs.open(file.path()); FileChannel local = open(file)) {
      in.seek(offset);
      stream(in, local, file, offset, length);
    }
    tally.reads().increment();
  }

  /** Reads a range as one positioned read, which asks the DataNode for no byte more. */
  public void readRange(Source file, long offset, int length) throws IOException {
    byte[] range = new byte[length];
    try (FSDataInputStream in = hdfs.open(file.path()); FileChannel local = open(file)) {
      try {
        in.readFully(offset, range);
      } catch (EOFException e) {
        throw wrong(WrongByteException.ofEnd(file, offset, "the file in HDFS"));
      }
      for (int from = 0; from < length; from += BUFFER) {
        int bytes = Math.min(BUFFER, length - from);
        System.arraycopy(range, from, actual, 0, bytes);
        compare(local, file, offset + from, bytes);
      }
    }
    tally.reads().increment();
  }

  private static FileChannel open(Source file) throws IOException {
    return FileChannel.open(file.local(), StandardOpenOption.READ);
  }

  private void stream(FSDataInputStream in, FileChannel local, Source file, long offset,
      long length) throws IOException {
    long position = offset;
    while (position < offset + length) {
      int bytes = in.read(actual, 0, (int) Math.min(BUFFER, offset + length - position));
      if (bytes < 0) {
        throw wrong(WrongByteException.ofEnd(file, position, "the file in HDFS"));
      }
      compare(local, file, position, bytes);
      position += bytes;
    }
  }

  /** Compares what is in {@link #actual} with the local file's bytes at an offset. */
  private void compare(FileChannel local, Source file, long offset, int length)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(expected, 0, length);
    while (buffer.hasRemaining() && local.read(buffer, offset + buffer.position()) >= 0) {
      // On until the buffer is full or the file ends.
    }
    int same = Arrays.mismatch(actual, 0, length, expected, 0, buffer.position());
    tally.verifiedBytes().add(same < 0 ? length : same);
    if (same >= 0) {
      throw wrong(same == buffer.position()
          ? WrongByteException.ofEnd(file, offset + same, "the local file")
          : WrongByteException.of(file, offset + same, actual[same], expected[same]));
    }
  }

  private WrongByteException wrong(WrongByteException difference) {
    tally.wrongBytes().add(1);
    return difference;
  }

  /**
   * What all readers together have compared. Safe for threads.
   *
   * @param reads that were right, each an open, some bytes and a close
   * @param verifiedBytes that were the local file's
   * @param wrongBytes that were not
   */
  public record Tally(LongAdder reads, LongAdder verifiedBytes, LongAdder wrongBytes) {

    /** Nothing was compared yet. */
    public Tally() {
      this(new LongAdder(), new LongAdder(), new LongAdder());
    }
  }

  /** A client got other bytes than the local file has: the one thing that must never happen. */
  public static final class WrongByteException extends IOException {

    private static final long serialVersionUID = 1L;

    private WrongByteException(Source file, long offset, String difference) {
      super(file.inHdfs() + " differs from " + file.local() + " at offset " + offset + ": "
          + difference);
    }

    /** A byte has another value. */
    static WrongByteException of(Source file, long offset, byte inHdfs, byte local) {
      return new WrongByteException(file, offset,
          String.format("0x%02x in HDFS, 0x%02x in the local file", inHdfs, local));
    }

    /** One of the two has no byte there. */
    static WrongByteException ofEnd(Source file, long offset, String which) {
      return new WrongByteException(file, offset, which + " ends there");
    }
  }
}

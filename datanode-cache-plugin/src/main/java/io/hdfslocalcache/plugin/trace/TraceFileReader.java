/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads a trace that a DataNode has written. Used by one thread. */
public final class TraceFileReader implements Closeable {

  private static final int LONGEST_FIRST_LINE = 256;

  private final DataInputStream in;
  private SegmentReader segment;

  /**
   * Begins to read.
   *
   * @param in the file's bytes; closed by {@link #close}
   * @throws IOException if it is no such trace
   */
  public TraceFileReader(InputStream in) throws IOException {
    this.in = new DataInputStream(in);
    String line = firstLine();
    if (!accepts(line)) {
      throw new IOException("not a trace of the local cache, or of another version; expected "
          + TraceFormat.MAGIC + ", found: " + line);
    }
  }

  /** @return whether a file with this first line, or beginning of it, is such a trace. */
  public static boolean accepts(String beginning) {
    return beginning.startsWith(TraceFormat.MAGIC + " ");
  }

  private String firstLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n' && line.length() < LONGEST_FIRST_LINE;
        next = in.read()) {
      line.append((char) next);
    }
    return line.toString();
  }

  /**
   * Reads the next read. They are in the order in which they ended.
   *
   * @return it, or null at the end
   * @throws IOException if the file cannot be read, or is damaged or cut off here
   */
  public TracedRead next() throws IOException {
    while (true) {
      TracedRead read = segment == null ? null : segment.next();
      if (read != null) {
        return read;
      }
      segment = nextSegment();
      if (segment == null) {
        return null;
      }
    }
  }

  private SegmentReader nextSegment() throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    try {
      byte[] rest = new byte[TraceFormat.SEGMENT_HEADER - 1];
      in.readFully(rest);
      ByteBuffer header = ByteBuffer.allocate(TraceFormat.SEGMENT_HEADER)
          .put((byte) first).put(rest).flip();
      int magic = header.getInt();
      int length = header.getInt();
      int size = header.getInt();
      int count = header.getInt();
      if (magic != TraceFormat.SEGMENT || length < 0 || length > 2 * TraceFormat.MAX_SEGMENT
          || size < 0 || size > TraceFormat.MAX_SEGMENT || count < 0) {
        throw TraceFormat.damaged("no segment where one should begin");
      }
      byte[] compressed = new byte[length];
      in.readFully(compressed);
      return new SegmentReader(compressed, size, count, header.getInt());
    } catch (EOFException e) {
      throw new IOException(TraceFormat.damaged("ends within a segment").getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}

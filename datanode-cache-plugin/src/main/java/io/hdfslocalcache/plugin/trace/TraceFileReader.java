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
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

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

  /** Takes the reads out of one segment. See {@link TraceFormat}. */
  private static final class SegmentReader {

    private static final ReadOutcome[] OUTCOMES = ReadOutcome.values();

    private final CodedInputStream reads;
    private final List<TraceFormat.Replica> replicas = new ArrayList<>();
    private final List<String> blockPools = new ArrayList<>();
    private final List<String> readers = new ArrayList<>();
    private int left;
    private long lastStart;
    private long lastBlockId;

    /**
     * Opens a segment.
     *
     * @param compressed its reads, compressed
     * @param size bytes of its reads
     * @param count its number of reads
     * @param crc CRC32C of the compressed bytes
     * @throws IOException if it is damaged
     */
    SegmentReader(byte[] compressed, int size, int count, int crc) throws IOException {
      CRC32C check = new CRC32C();
      check.update(compressed);
      if ((int) check.getValue() != crc) {
        throw TraceFormat.damaged("wrong checksum");
      }
      this.reads = CodedInputStream.newInstance(inflate(compressed, size));
      this.left = count;
    }

    private static byte[] inflate(byte[] compressed, int size) throws IOException {
      Inflater inflater = new Inflater();
      try {
        inflater.setInput(compressed);
        byte[] reads = new byte[size];
        if (inflater.inflate(reads) != size) {
          throw TraceFormat.damaged("wrong size");
        }
        return reads;
      } catch (DataFormatException e) {
        throw new IOException(TraceFormat.damaged("not compressed by deflate").getMessage(), e);
      } finally {
        inflater.end();
      }
    }

    /**
     * Reads the next read.
     *
     * @return it, or null at the end
     * @throws IOException if it makes no sense
     */
    TracedRead next() throws IOException {
      if (left == 0) {
        return null;
      }
      try {
        left--;
        return read();
      } catch (IOException | IndexOutOfBoundsException e) {
        throw new IOException(TraceFormat.damaged("a read makes no sense").getMessage(), e);
      }
    }

    private TracedRead read() throws IOException {
      lastStart += reads.readSInt64();
      TraceFormat.Replica replica = replica();
      String reader = name(readers);
      long offset = reads.readUInt64();
      long length = reads.readUInt64();
      long micros = reads.readUInt64();
      ReadOutcome outcome = OUTCOMES[(int) reads.readUInt64()];
      return new TracedRead(lastStart, micros, replica.blockPoolId(), replica.blockId(),
          replica.generationStamp(), replica.bytes(), offset, length, reader, outcome);
    }

    private TraceFormat.Replica replica() throws IOException {
      int number = (int) reads.readUInt64();
      if (number > 0) {
        return replicas.get(number - 1);
      }
      String blockPool = name(blockPools);
      lastBlockId += reads.readSInt64();
      TraceFormat.Replica replica =
          new TraceFormat.Replica(blockPool, lastBlockId, reads.readUInt64(), reads.readUInt64());
      replicas.add(replica);
      return replica;
    }

    private String name(List<String> names) throws IOException {
      int number = (int) reads.readUInt64();
      if (number > 0) {
        return names.get(number - 1);
      }
      names.add(reads.readString());
      return names.get(names.size() - 1);
    }
  }
}

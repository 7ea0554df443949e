/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/** Takes the reads out of one segment. See {@link TraceFormat}. */
final class SegmentReader {

  private static final ReadOutcome[] OUTCOMES = ReadOutcome.values();

  private record Replica(String blockPoolId, long blockId, long generationStamp, long bytes) {
  }

  private final ByteBuffer reads;
  private final List<Replica> replicas = new ArrayList<>();
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
    this.reads = ByteBuffer.wrap(inflate(compressed, size));
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
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IOException(TraceFormat.damaged("a read makes no sense").getMessage(), e);
    }
  }

  private TracedRead read() {
    lastStart += Varints.getSigned(reads);
    Replica replica = replica();
    String reader = name(readers);
    long offset = Varints.get(reads);
    long length = Varints.get(reads);
    long micros = Varints.get(reads);
    ReadOutcome outcome = OUTCOMES[(int) Varints.get(reads)];
    return new TracedRead(lastStart, micros, replica.blockPoolId(), replica.blockId(),
        replica.generationStamp(), replica.bytes(), offset, length, reader, outcome);
  }

  private Replica replica() {
    int number = (int) Varints.get(reads);
    if (number > 0) {
      return replicas.get(number - 1);
    }
    String blockPool = name(blockPools);
    lastBlockId += Varints.getSigned(reads);
    Replica replica =
        new Replica(blockPool, lastBlockId, Varints.get(reads), Varints.get(reads));
    replicas.add(replica);
    return replica;
  }

  private String name(List<String> names) {
    int number = (int) Varints.get(reads);
    if (number > 0) {
      return names.get(number - 1);
    }
    names.add(Varints.getText(reads));
    return names.get(names.size() - 1);
  }
}

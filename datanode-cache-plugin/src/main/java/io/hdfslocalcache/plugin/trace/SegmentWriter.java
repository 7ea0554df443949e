/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;

import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;

/** Collects the reads of one segment after the other. See {@link TraceFormat}. */
final class SegmentWriter {

  private static final int NUMBERS = 12;
  private static final int LONGEST_NUMBER = 10;
  /** Bytes that a read with all its names may take, if these are not longer than this. */
  private static final int LONGEST_NAME = 1024;
  private static final int LONGEST = NUMBERS * LONGEST_NUMBER + 2 * LONGEST_NAME;

  private final byte[] bytes = new byte[TraceFormat.MAX_SEGMENT];
  private CodedOutputStream reads = CodedOutputStream.newInstance(bytes);
  /** Deflate adds a few bytes to what it cannot compress. */
  private final byte[] compressed = new byte[2 * TraceFormat.MAX_SEGMENT];
  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
  private final CRC32C crc = new CRC32C();
  private final Map<TraceFormat.Replica, Integer> replicas = new HashMap<>();
  private final Map<String, Integer> blockPools = new HashMap<>();
  private final Map<String, Integer> readers = new HashMap<>();
  private int count;
  private long lastStart;
  private long lastBlockId;

  /** @return number of reads that wait for {@link #finish}. */
  int count() {
    return count;
  }

  /** @return whether the segment must be finished before another read is added. */
  boolean isFull() {
    return reads.spaceLeft() < LONGEST;
  }

  /** Adds a read. @throws IOException if the segment is full */
  void add(TracedRead read) throws IOException {
    reads.writeSInt64NoTag(read.startMillis() - lastStart);
    lastStart = read.startMillis();
    putReplica(new TraceFormat.Replica(read.blockPoolId(), read.blockId(), read.generationStamp(),
        read.replicaBytes()));
    putName(readers, read.reader());
    reads.writeUInt64NoTag(read.offset());
    reads.writeUInt64NoTag(read.length());
    reads.writeUInt64NoTag(read.durationMicros());
    reads.writeUInt64NoTag(read.outcome().ordinal());
    count++;
  }

  private void putReplica(TraceFormat.Replica replica) throws IOException {
    if (putKnown(replicas, replica)) {
      return;
    }
    putName(blockPools, replica.blockPoolId());
    reads.writeSInt64NoTag(replica.blockId() - lastBlockId);
    lastBlockId = replica.blockId();
    reads.writeUInt64NoTag(replica.generationStamp());
    reads.writeUInt64NoTag(replica.bytes());
  }

  private void putName(Map<String, Integer> names, String name) throws IOException {
    if (!putKnown(names, name)) {
      byte[] text = name.getBytes(StandardCharsets.UTF_8);
      reads.writeByteArrayNoTag(text.length <= LONGEST_NAME ? text : new byte[0]);
    }
  }

  /** Writes the number of a thing. @return false if it is new: the thing itself has to follow */
  private <T> boolean putKnown(Map<T, Integer> numbers, T thing) throws IOException {
    Integer known = numbers.putIfAbsent(thing, numbers.size() + 1);
    reads.writeUInt64NoTag(known == null ? 0 : known);
    return known != null;
  }

  /**
   * Ends the segment and begins the next.
   *
   * @return the segment as it is to be written
   */
  ByteBuffer finish() {
    deflater.reset();
    deflater.setInput(bytes, 0, reads.getTotalBytesWritten());
    deflater.finish();
    int length = deflater.deflate(compressed);
    crc.reset();
    crc.update(compressed, 0, length);
    ByteBuffer segment = ByteBuffer.allocate(TraceFormat.SEGMENT_HEADER + length)
        .putInt(TraceFormat.SEGMENT).putInt(length).putInt(reads.getTotalBytesWritten())
        .putInt(count)
        .putInt((int) crc.getValue()).put(compressed, 0, length).flip();
    clear();
    return segment;
  }

  private void clear() {
    reads = CodedOutputStream.newInstance(bytes);
    replicas.clear();
    blockPools.clear();
    readers.clear();
    count = 0;
    lastStart = 0;
    lastBlockId = 0;
  }

  /** Releases what the garbage collector would release late. */
  void close() {
    deflater.end();
  }
}

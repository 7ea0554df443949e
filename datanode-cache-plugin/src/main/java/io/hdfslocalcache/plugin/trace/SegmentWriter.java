/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;

/** Collects the reads of one segment after the other. See {@link TraceFormat}. */
final class SegmentWriter {

  private static final int NUMBERS = 12;
  /** Bytes that a read with all its names may take, if these are not longer than this. */
  private static final int LONGEST_NAME = 1024;
  private static final int LONGEST = NUMBERS * Varints.MAX_BYTES + 2 * LONGEST_NAME;

  private record Replica(String blockPoolId, long blockId, long generationStamp, long bytes) {
  }

  private final ByteBuffer reads = ByteBuffer.allocate(TraceFormat.MAX_SEGMENT);
  /** Deflate adds a few bytes to what it cannot compress. */
  private final byte[] compressed = new byte[2 * TraceFormat.MAX_SEGMENT];
  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
  private final CRC32C crc = new CRC32C();
  private final Map<Replica, Integer> replicas = new HashMap<>();
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
    return reads.remaining() < LONGEST;
  }

  /** Adds a read. */
  void add(TracedRead read) {
    Varints.putSigned(reads, read.startMillis() - lastStart);
    lastStart = read.startMillis();
    putReplica(new Replica(read.blockPoolId(), read.blockId(), read.generationStamp(),
        read.replicaBytes()));
    putName(readers, read.reader());
    Varints.put(reads, read.offset());
    Varints.put(reads, read.length());
    Varints.put(reads, read.durationMicros());
    Varints.put(reads, read.outcome().ordinal());
    count++;
  }

  private void putReplica(Replica replica) {
    Integer known = replicas.putIfAbsent(replica, replicas.size() + 1);
    if (known != null) {
      Varints.put(reads, known);
      return;
    }
    Varints.put(reads, 0);
    putName(blockPools, replica.blockPoolId());
    Varints.putSigned(reads, replica.blockId() - lastBlockId);
    lastBlockId = replica.blockId();
    Varints.put(reads, replica.generationStamp());
    Varints.put(reads, replica.bytes());
  }

  private void putName(Map<String, Integer> names, String name) {
    Integer known = names.putIfAbsent(name, names.size() + 1);
    if (known != null) {
      Varints.put(reads, known);
      return;
    }
    Varints.put(reads, 0);
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    Varints.put(reads, text.length <= LONGEST_NAME ? text : new byte[0]);
  }

  /**
   * Ends the segment and begins the next.
   *
   * @return the segment as it is to be written
   */
  ByteBuffer finish() {
    deflater.reset();
    deflater.setInput(reads.array(), 0, reads.position());
    deflater.finish();
    int length = deflater.deflate(compressed);
    crc.reset();
    crc.update(compressed, 0, length);
    ByteBuffer segment = ByteBuffer.allocate(TraceFormat.SEGMENT_HEADER + length)
        .putInt(TraceFormat.SEGMENT).putInt(length).putInt(reads.position()).putInt(count)
        .putInt((int) crc.getValue()).put(compressed, 0, length).flip();
    clear();
    return segment;
  }

  private void clear() {
    reads.clear();
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

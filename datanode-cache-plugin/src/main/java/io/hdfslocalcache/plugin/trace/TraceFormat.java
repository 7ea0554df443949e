/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * How a trace lies in a file, version 1.
 *
 * <p>The first line is text: {@value #MAGIC}, then words {@code name=value}. After it come
 * segments, each of which can be read without the others, so that a file whose end is missing is
 * good up to the last whole segment:
 *
 * <pre>
 * int    SEGMENT
 * int    bytes of the reads, compressed
 * int    bytes of the reads
 * int    number of reads
 * int    CRC32C of the compressed bytes
 * bytes  the reads, compressed by deflate
 * </pre>
 *
 * <p>A read is a row of numbers as protobuf writes them, seven bits a byte: start (difference to
 * the read before, signed), replica, reader, offset, length, duration, outcome. Replica and reader
 * are numbers in the order of first use in the segment, from 1; at first use there is 0, and then
 * the thing itself: for a replica the block pool (a number like these), block id (difference to the
 * replica named before, signed), generation stamp and length; for block pools and readers their
 * name. Offset and length are of bytes, duration of microseconds, outcome is the number of a
 * {@link io.hdfslocalcache.plugin.metrics.ReadOutcome}.
 */
final class TraceFormat {

  /** Begins the first line. */
  static final String MAGIC = "hdfs-local-cache-trace 1";

  /** Begins a segment. */
  static final int SEGMENT = 0x52454144;

  /** Bytes before the compressed reads of a segment. */
  static final int SEGMENT_HEADER = 5 * Integer.BYTES;

  /** Most bytes of reads in a segment, not compressed. */
  static final int MAX_SEGMENT = 256 << 10;

  /** What a read names by its number. */
  record Replica(String blockPoolId, long blockId, long generationStamp, long bytes) {
  }

  private TraceFormat() {
  }

  /**
   * Makes the first line.
   *
   * @param sample the share of the blocks that are in the trace
   * @param anonymous whether blocks and readers have other names than in HDFS
   */
  static byte[] firstLine(double sample, boolean anonymous) {
    return (MAGIC + " sample=" + sample + " anonymous=" + anonymous + "\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** A trace that is damaged or cut off. What was read before is good. */
  static IOException damaged(String what) {
    return new IOException("trace is damaged or cut off: " + what);
  }
}

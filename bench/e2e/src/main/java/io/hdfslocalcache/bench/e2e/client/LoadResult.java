/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

/**
 * What the readers of a load saw.
 *
 * @param ops reads, of whole files or of ranges
 * @param bytes bytes of data in them
 * @param seconds from the first to the last
 * @param latencies durations of the reads in nanoseconds: a compressed histogram in Base64, so that
 *     those of several slices can be added up
 * @param opsBySecond how many of the reads ended in each second
 */
public record LoadResult(long ops, long bytes, double seconds, String latencies,
    List<Long> opsBySecond) {

  /** With the durations packed. */
  public static LoadResult of(long ops, long bytes, double seconds, Histogram nanos,
      List<Long> opsBySecond) {
    ByteBuffer buffer = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
    int length = nanos.encodeIntoCompressedByteBuffer(buffer);
    ByteBuffer packed = ByteBuffer.allocate(length).put(buffer.array(), 0, length);
    return new LoadResult(ops, bytes, seconds, Base64.getEncoder().encodeToString(packed.array()),
        opsBySecond);
  }

  /** @return durations of the reads, in nanoseconds. */
  public Histogram nanos() {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(latencies)), 0);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("not a histogram: " + latencies, e);
    }
  }
}

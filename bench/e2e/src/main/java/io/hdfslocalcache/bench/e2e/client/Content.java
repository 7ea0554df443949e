/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What files hold: bytes that follow from file and offset, so that all can be checked. */
final class Content {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Content() {
  }

  /** Fills a buffer with what is at an offset, both multiples of 8. */
  static void fill(int file, long offset, byte[] buffer) {
    ByteBuffer target = ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = offset; target.remaining() >= Long.BYTES; at += Long.BYTES) {
      target.putLong(mix(((long) file << 48) + at));
    }
  }

  /** @throws IOException if one of the bytes, from a multiple of 8 on, is not what was written */
  static void check(int file, long offset, byte[] buffer, int length) throws IOException {
    ByteBuffer read = ByteBuffer.wrap(buffer, 0, length).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = offset; read.remaining() >= Long.BYTES; at += Long.BYTES) {
      if (read.getLong() != mix(((long) file << 48) + at)) {
        throw new IOException("wrong bytes in " + Files.name(file) + " at " + at);
      }
    }
  }

  /** The finalizer of SplitMix64. */
  private static long mix(long z) {
    z = (z + GOLDEN) * GOLDEN;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** {@link Checksum}. */
public final class Checksums {

  private static final int PART = 8192;

  private Checksums() {
  }

  public static void update(Checksum checksum, ByteBuffer buffer) {
    if (checksum instanceof Crc32c) {
      ((Crc32c) checksum).update(buffer);
    } else if (checksum instanceof CRC32) {
      ((CRC32) checksum).update(buffer);
    } else {
      updateInParts(checksum, buffer);
    }
  }

  /** Through the heap, on which all checksums can be computed. */
  static void updateInParts(Checksum checksum, ByteBuffer buffer) {
    if (buffer.hasArray()) {
      checksum.update(buffer.array(), buffer.arrayOffset() + buffer.position(),
          buffer.remaining());
      buffer.position(buffer.limit());
      return;
    }
    byte[] part = new byte[Math.min(PART, buffer.remaining())];
    while (buffer.hasRemaining()) {
      int n = Math.min(part.length, buffer.remaining());
      buffer.get(part, 0, n);
      checksum.update(part, 0, n);
    }
  }
}

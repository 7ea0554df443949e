/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;

import org.apache.hadoop.util.DataChecksum;

/** The checksum of a replica's last chunk, if that chunk is not full and may yet be continued. */
final class LastChecksum {

  /** Reads checksums as they are in the meta file. */
  interface Source {
    void read(long position, ByteBuffer buffer) throws IOException;
  }

  /** Nothing is remembered: all checksums are as they are in the meta file. */
  static final LastChecksum NONE = new LastChecksum(Long.MAX_VALUE, new byte[0]);

  private final long position;
  private final byte[] bytes;

  private LastChecksum(long position, byte[] bytes) {
    this.position = position;
    this.bytes = bytes;
  }

  /**
   * Remembers what the meta file says now.
   *
   * @param length bytes of data in the replica
   */
  static LastChecksum read(DataChecksum checksum, long length, Source source)
      throws IOException {
    int chunk = checksum.getBytesPerChecksum();
    if (checksum.getChecksumSize() == 0 || length % chunk == 0) {
      return NONE;
    }
    long position = length / chunk * checksum.getChecksumSize();
    byte[] bytes = new byte[checksum.getChecksumSize()];
    source.read(position, ByteBuffer.wrap(bytes));
    return new LastChecksum(position, bytes);
  }

  /**
   * Puts the checksum in its place among others that were read just now.
   *
   * @param begin where in the buffer they begin; they end at the buffer's position
   * @param first position, among the replica's checksums, of the first of them
   */
  void putInto(ByteBuffer buffer, int begin, long first) {
    long offset = position - first;
    if (offset >= 0 && offset + bytes.length <= buffer.position() - begin) {
      buffer.put(begin + (int) offset, bytes);
    }
  }
}

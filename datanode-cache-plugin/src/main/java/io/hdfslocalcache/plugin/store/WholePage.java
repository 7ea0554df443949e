/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.util.DataChecksum;

/** Compares all bytes of a page with its checksums. */
final class WholePage {

  private static final int BUFFER = 128 << 10;

  private WholePage() {
  }

  /**
   * @throws DamagedPageException if a byte or a checksum is not what it was
   * @throws IOException if the SSD fails
   */
  static void verify(OpenPage open, PageLayout layout, int page) throws IOException {
    int data = layout.dataLength(page);
    ByteBuffer sums = ByteBuffer.allocate(layout.checksumLength(page));
    open.read(data, sums);
    sums.flip();
    DataChecksum checksum = layout.newChecksum();
    int chunk = layout.chunkSize();
    ByteBuffer buffer = ByteBuffer.allocate(Math.min(data, Math.max(1, BUFFER / chunk) * chunk));
    for (int position = 0; position < data; position += buffer.limit()) {
      buffer.clear().limit(Math.min(buffer.capacity(), data - position));
      open.read(position, buffer);
      sums.position(position / chunk * checksum.getChecksumSize());
      try {
        checksum.verifyChunkedSums(buffer.flip(), sums.slice(), "page " + page, position);
      } catch (ChecksumException e) {
        throw new DamagedPageException("page " + page + " is damaged", e);
      }
    }
  }
}

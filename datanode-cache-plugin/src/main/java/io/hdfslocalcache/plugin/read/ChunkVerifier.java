/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.apache.hadoop.util.DataChecksum;

/** Compares chunks with their checksums. Hadoop's own does so on the heap only. Not thread-safe. */
final class ChunkVerifier {

  private final PageLayout layout;
  private final Checksum checksum;

  ChunkVerifier(PageLayout layout) {
    this.layout = layout;
    this.checksum =
        layout.checksumType() == DataChecksum.Type.CRC32C ? new CRC32C() : new CRC32();
  }

  /**
   * Compares all chunks. The buffers' positions stay where they are.
   *
   * @param data whole chunks, the last of the block excepted
   * @param checksums one for each chunk
   * @param from where the data begins in the page, for the message
   * @throws DamagedPageException if one does not match
   */
  void verify(ByteBuffer data, ByteBuffer checksums, int page, int from)
      throws DamagedPageException {
    ByteBuffer chunk = data.duplicate();
    int end = data.limit();
    int sum = checksums.position();
    for (int begin = data.position(); begin < end; begin += layout.chunkSize()) {
      chunk.limit(Math.min(begin + layout.chunkSize(), end)).position(begin);
      checksum.reset();
      checksum.update(chunk);
      if ((int) checksum.getValue() != checksums.getInt(sum)) {
        throw new DamagedPageException("data does not match its checksums: page " + page + " at "
            + (layout.start(page) + from + begin - data.position()), null);
      }
      sum += layout.checksumSize();
    }
  }
}

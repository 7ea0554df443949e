/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

import org.apache.hadoop.util.DataChecksum;

/**
 * Compares chunks with their checksums. Hadoop's own does so on the heap only, or with its native
 * library. Not thread-safe.
 */
public final class ChunkVerifier {

  private final PageLayout layout;
  private final Checksum checksum;
  private final JoinedChecksums joined;

  /** For chunks of a block that is laid out so. */
  public ChunkVerifier(PageLayout layout) {
    this.layout = layout;
    this.checksum =
        layout.checksumType() == DataChecksum.Type.CRC32C ? new CRC32C() : new CRC32();
    this.joined = JoinedChecksums.of(layout.checksumType(), layout.chunkSize());
  }

  /**
   * Compares all chunks. The buffers' positions stay where they are.
   *
   * @param data whole chunks, the last of the block excepted
   * @param checksums one for each chunk, and perhaps more
   * @param from where the data begins in the page, for the message
   * @throws DamagedPageException if one does not match
   */
  public void verify(ByteBuffer data, ByteBuffer checksums, int page, int from)
      throws DamagedPageException {
    int whole = data.remaining() / layout.chunkSize();
    int end = data.position() + whole * layout.chunkSize();
    if (whole > 0 && crc(data, data.position(), end)
        != joined.join(checksums, checksums.position(), whole)) {
      verifyEach(data, checksums, page, from);
    }
    if (end < data.limit() && crc(data, end, data.limit())
        != checksums.getInt(checksums.position() + whole * layout.checksumSize())) {
      throw damaged(page, from + end - data.position());
    }
  }

  private int crc(ByteBuffer data, int begin, int end) {
    checksum.reset();
    checksum.update(data.duplicate().limit(end).position(begin));
    return (int) checksum.getValue();
  }

  /** Finds the chunk. There is one: chunks that match have a joined checksum that matches. */
  private void verifyEach(ByteBuffer data, ByteBuffer checksums, int page, int from)
      throws DamagedPageException {
    int sum = checksums.position();
    int chunk = layout.chunkSize();
    for (int begin = data.position(); begin + chunk <= data.limit(); begin += chunk) {
      if (crc(data, begin, begin + chunk) != checksums.getInt(sum)) {
        throw damaged(page, from + begin - data.position());
      }
      sum += layout.checksumSize();
    }
    throw damaged(page, from);
  }

  private DamagedPageException damaged(int page, int position) {
    return new DamagedPageException("data does not match its checksums: page " + page + " at "
        + (layout.start(page) + position), null);
  }
}

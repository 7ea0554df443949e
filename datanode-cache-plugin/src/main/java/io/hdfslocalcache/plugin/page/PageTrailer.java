/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import org.apache.hadoop.util.DataChecksum;

/**
 * The last bytes of a part of a page's file: they identify the part, and show that it was written
 * completely. A file that was truncated, swapped with another, or left over from another version of
 * the block or of this format does not match, whatever its name; nor does a hole for a missing
 * part. Nor do the checksums of another part before it: an SSD that lost a part of a file may
 * return older, valid bytes in its place.
 *
 * <pre>
 *   8  magic and version of the format
 *   8  block id
 *   8  generation stamp
 *   8  length of the block
 *   4  page index
 *   4  bytes of data in the page
 *   4  bytes in a chunk
 *   4  kind of checksum
 *   4  CRC-32C of the part's checksums
 *   4  part
 *   4  CRC-32C of the name of the block's pages: it contains the block pool's id, and
 *      tells the replica from others
 *   4  CRC-32C of all the above
 * </pre>
 */
public final class PageTrailer {

  /** Bytes of a trailer. */
  public static final int LENGTH = PageLayout.TRAILER;

  /** "HDFSLC" and the version of the page format, 5. */
  private static final long MAGIC = 0x484446534c430005L;

  private static final int CHUNK_POSITION = 40;
  private static final int SUMS_POSITION = 48;
  private static final int PART_POSITION = 52;

  /**
   * The block's attributes in a trailer, which has only a checksum of the name of its pages.
   *
   * @param blockLength bytes of data in the block
   * @param checksum the block's kind of checksums
   * @param part index of the part in the page
   */
  public record Origin(long blockId, long generationStamp, long blockLength,
      DataChecksum checksum, int part) {
  }

  private PageTrailer() {
  }

  /** @return the trailer in the buffer's next bytes, or null if it is not valid. */
  public static Origin read(ByteBuffer buffer) {
    if (buffer.remaining() != LENGTH) {
      return null;
    }
    byte[] bytes = new byte[LENGTH];
    buffer.get(bytes);
    ByteBuffer trailer = ByteBuffer.wrap(bytes);
    if (trailer.getLong() != MAGIC
        || trailer.getInt(LENGTH - Integer.BYTES) != crc(bytes, LENGTH - Integer.BYTES)) {
      return null;
    }
    long blockId = trailer.getLong();
    long stamp = trailer.getLong();
    long length = trailer.getLong();
    int chunk = trailer.getInt(CHUNK_POSITION);
    int type = trailer.getInt(CHUNK_POSITION + Integer.BYTES);
    try {
      return new Origin(blockId, stamp, length,
          DataChecksum.newDataChecksum(DataChecksum.Type.valueOf(type), chunk),
          trailer.getInt(PART_POSITION));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Completes the tail of a part that already has its checksums.
   *
   * @param name name of the block's pages
   */
  public static void write(ByteBuffer tail, ReplicaSnapshot snapshot, String name,
      PageLayout layout, int page, int part) {
    int sums = layout.partChecksumLength(page, part);
    int position = layout.tailLength() - LENGTH;
    for (int i = sums; i < position; i++) {
      tail.put(i, (byte) 0);
    }
    tail.put(position,
        trailer(snapshot, name, layout, page, part, crc(tail.slice(0, sums))), 0, LENGTH);
  }

  private static ByteBuffer trailer(ReplicaSnapshot snapshot, String name, PageLayout layout,
      int page, int part, int sums) {
    ByteBuffer trailer = ByteBuffer.allocate(LENGTH);
    trailer.putLong(MAGIC)
        .putLong(snapshot.key().blockId())
        .putLong(snapshot.generationStamp())
        .putLong(snapshot.length())
        .putInt(page)
        .putInt(layout.dataLength(page))
        .putInt(layout.chunkSize())
        .putInt(layout.checksumType().id)
        .putInt(sums)
        .putInt(part)
        .putInt(crc(name.getBytes(StandardCharsets.UTF_8)));
    trailer.putInt(crc(trailer.array(), trailer.position()));
    return trailer.flip();
  }

  /** @return whether this is the trailer of exactly this part, whatever its checksums. */
  public static boolean isOf(ByteBuffer trailer, ReplicaSnapshot snapshot, String name,
      PageLayout layout, int page, int part) {
    return trailer.equals(trailer(
        snapshot, name, layout, page, part, trailer.getInt(trailer.position() + SUMS_POSITION)));
  }

  /** @return whether this is the tail of exactly this part, with its checksums. */
  public static boolean matches(ByteBuffer tail, ReplicaSnapshot snapshot, String name,
      PageLayout layout, int page, int part) {
    return tail.slice(layout.tailLength() - LENGTH, LENGTH).equals(trailer(snapshot, name, layout,
        page, part, crc(tail.slice(0, layout.partChecksumLength(page, part)))));
  }

  private static int crc(byte[] bytes) {
    return crc(bytes, bytes.length);
  }

  private static int crc(byte[] bytes, int length) {
    return crc(ByteBuffer.wrap(bytes, 0, length));
  }

  private static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}

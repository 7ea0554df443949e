/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

import org.apache.hadoop.util.DataChecksum;

/**
 * Compares chunks with their checksums. Hadoop's own verifier needs buffers on the heap or the
 * native library. Not thread-safe.
 */
public final class ChunkVerifier {

  private final PageLayout layout;
  private final Checksum checksum;
  private final JoinedChecksums joined;

  /** For the chunks of a block with this layout. */
  public ChunkVerifier(PageLayout layout) {
    this.layout = layout;
    this.checksum =
        layout.checksumType() == DataChecksum.Type.CRC32C ? new CRC32C() : new CRC32();
    this.joined = JoinedChecksums.of(layout.checksumType(), layout.chunkSize());
  }

  /**
   * Compares all chunks. The buffers' positions stay where they are.
   *
   * @param data whole chunks, except for the last of the block
   * @param checksums one for each chunk, and perhaps more
   * @param from start of the data in the page, for the message
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

  /** Finds the damaged chunk. There is one, because the joined checksum does not match. */
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

  /**
   * The CRC of several chunks in a row, calculated from the CRC of each. So the CRC of a whole
   * packet can be calculated at once, which is faster than chunk by chunk. The CRC of A and
   * B together is that of A, multiplied by x^(bits of B) modulo the CRC's polynomial, plus that of
   * B.
   *
   * <p>Polynomials are in the order of both CRCs: the coefficient of x^0 is the highest bit.
   */
  private static final class JoinedChecksums {

    private static final int CRC32 = 0xEDB88320;
    private static final int CRC32C = 0x82F63B78;
    private static final int ONE = 1 << 31;
    private static final int X = 1 << 30;
    /** Clients choose the chunk size; nearly all use the same. */
    private static final int MAX_KNOWN = 64;

    /** Key of a table. */
    private record Kind(DataChecksum.Type type, int chunk) {
    }

    private static final ConcurrentMap<Kind, JoinedChecksums> KNOWN = new ConcurrentHashMap<>();

    private final int size;
    /** By byte of a CRC and its value: the product with x^(bits of a chunk). */
    private final int[][] shifted = new int[Integer.BYTES][1 << Byte.SIZE];

    private JoinedChecksums(Kind kind) {
      int polynomial = kind.type() == DataChecksum.Type.CRC32C ? CRC32C : CRC32;
      size = kind.type().size;
      int factor = power((long) kind.chunk() * Byte.SIZE, polynomial);
      for (int i = 0; i < shifted.length; i++) {
        for (int value = 0; value < shifted[i].length; value++) {
          shifted[i][value] = product(factor, value << i * Byte.SIZE, polynomial);
        }
      }
    }

    /** @return the joiner for checksums of whole chunks; thread-safe. */
    static JoinedChecksums of(DataChecksum.Type type, int chunk) {
      Kind kind = new Kind(type, chunk);
      JoinedChecksums known = KNOWN.get(kind);
      if (known == null) {
        known = new JoinedChecksums(kind);
        if (KNOWN.size() < MAX_KNOWN) {
          KNOWN.put(kind, known);
        }
      }
      return known;
    }

    private static int power(long exponent, int polynomial) {
      int result = ONE;
      int square = X;
      for (long rest = exponent; rest != 0; rest >>>= 1) {
        if ((rest & 1) != 0) {
          result = product(result, square, polynomial);
        }
        square = product(square, square, polynomial);
      }
      return result;
    }

    private static int product(int a, int b, int polynomial) {
      int sum = 0;
      int term = b;
      for (int coefficient = ONE; coefficient != 0; coefficient >>>= 1) {
        if ((a & coefficient) != 0) {
          sum ^= term;
        }
        term = (term & 1) == 0 ? term >>> 1 : term >>> 1 ^ polynomial;
      }
      return sum;
    }

    /**
     * Joins checksums of whole chunks.
     *
     * @param from index of the first in the buffer
     * @param count how many, at least one
     */
    int join(ByteBuffer checksums, int from, int count) {
      int joined = checksums.getInt(from);
      for (int at = from + size; at < from + count * size; at += size) {
        joined = shifted[0][joined & 0xFF] ^ shifted[1][joined >>> 8 & 0xFF]
            ^ shifted[2][joined >>> 16 & 0xFF] ^ shifted[3][joined >>> 24] ^ checksums.getInt(at);
      }
      return joined;
    }
  }
}

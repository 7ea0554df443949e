/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

/**
 * Bytes of block data in what a DataNode says it has sent. It counts the checksums it sends along
 * ({@code BlockSender.doSendBlock}): 4 bytes for each chunk, a last chunk that is not full
 * included.
 */
final class WireBytes {

  private static final int CHECKSUM = 4;

  private final int chunk;

  /**
   * Makes a conversion.
   *
   * @param bytesPerChecksum bytes in a chunk, {@code dfs.bytes-per-checksum}; 0: no checksums
   */
  WireBytes(int bytesPerChecksum) {
    this.chunk = bytesPerChecksum;
  }

  /**
   * Takes the checksums away.
   *
   * @throws BadLineException if no data has that many bytes with its checksums
   */
  long toData(long wire) throws BadLineException {
    if (wire < 0) {
      throw new BadLineException("negative length " + wire);
    }
    if (chunk == 0) {
      return wire;
    }
    long full = wire / (chunk + CHECKSUM);
    long rest = wire % (chunk + CHECKSUM);
    if (rest > 0 && rest <= CHECKSUM) {
      throw new BadLineException(wire + " bytes are no chunks of " + chunk
          + " with checksums of " + CHECKSUM + "; see --bytes-per-checksum");
    }
    return full * chunk + (rest == 0 ? 0 : rest - CHECKSUM);
  }
}

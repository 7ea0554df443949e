/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import java.util.Objects;

import org.apache.hadoop.util.DataChecksum;

/**
 * Where the bytes of a block are in its pages.
 *
 * <p>A page file holds, in this order: a slice of the block's data, the checksums of the slice's
 * chunks, zeros up to the last of its file system blocks, and at its very end a
 * {@link PageTrailer}. Its length is a multiple of {@link #ALIGNMENT}, so that it can be written
 * and read past the OS page cache. Data and checksums of a chunk are therefore cached, evicted
 * and served together; there is no separate page of the meta file that could be missing, or belong
 * to another version of the block. The slice is the configured page size, rounded down to whole
 * chunks, so that no chunk lies in two pages.
 */
public final class PageLayout {

  /** Direct I/O wants positions, lengths and memory to be multiples of this, in bytes. */
  public static final int ALIGNMENT = 4096;

  private static final DataChecksum USUAL_CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  private final DataChecksum.Type type;
  private final int chunk;
  private final int span;
  private final long blockLength;

  /**
   * Lays out a block.
   *
   * @param pageSize configured bytes of data in a page
   * @param checksum the block's checksums; must be {@link #supports supported}
   * @param blockLength bytes of data in the block
   */
  public PageLayout(int pageSize, DataChecksum checksum, long blockLength) {
    if (!supports(pageSize, checksum)) {
      throw new IllegalArgumentException("no layout for " + checksum + " and pages of " + pageSize);
    }
    this.type = checksum.getChecksumType();
    this.chunk = checksum.getBytesPerChecksum();
    this.span = pageSize / chunk * chunk;
    this.blockLength = blockLength;
  }

  /**
   * Lays out a block whose meta file nobody has looked at, as HDFS makes blocks by default: with a
   * CRC32C for every 512 bytes.
   */
  public static PageLayout usual(int pageSize, long blockLength) {
    return new PageLayout(pageSize, USUAL_CHECKSUM, blockLength);
  }

  /**
   * Blocks without checksums are not cached, for what cannot be verified could carry garbage from
   * the SSD to a client; neither are blocks with chunks larger than a page.
   */
  public static boolean supports(int pageSize, DataChecksum checksum) {
    return checksum.getChecksumSize() > 0 && checksum.getBytesPerChecksum() <= pageSize;
  }

  /** @return a new summer for the block's checksums; not to be shared between threads. */
  public DataChecksum newChecksum() {
    return DataChecksum.newDataChecksum(type, chunk);
  }

  /** @return bytes of data in the block. */
  public long blockLength() {
    return blockLength;
  }

  /** @return bytes of data in a chunk, the unit of a checksum. */
  public int chunkSize() {
    return chunk;
  }

  /** @return bytes of one checksum. */
  public int checksumSize() {
    return type.size;
  }

  /** @return the kind of checksum. */
  public DataChecksum.Type checksumType() {
    return type;
  }

  /** @return number of pages; 0 for an empty block. */
  public int pages() {
    return Math.toIntExact((blockLength + span - 1) / span);
  }

  /** @return the page that holds a byte of the block. */
  public int pageOf(long offset) {
    return Math.toIntExact(offset / span);
  }

  /** @return offset in the block of the first byte of a page. */
  public long start(int page) {
    return (long) page * span;
  }

  /** @return bytes of block data in a page; less than the span in the last page only. */
  public int dataLength(int page) {
    return (int) Math.min(span, blockLength - start(page));
  }

  /** @return bytes of checksums in a page. */
  public int checksumLength(int page) {
    return (dataLength(page) + chunk - 1) / chunk * type.size;
  }

  /** @return offset, among all checksums of the block, of a page's first checksum. */
  public long checksumStart(int page) {
    return start(page) / chunk * type.size;
  }

  /** @return offset, among all checksums of the block, of the checksum of a byte's chunk. */
  public long checksumPosition(long offset) {
    return offset / chunk * type.size;
  }

  /** @return the page that holds a byte of the checksums. */
  public int pageOfChecksum(long checksumPosition) {
    return Math.toIntExact(checksumPosition / type.size / (span / chunk));
  }

  /** @return where in the page's file the checksum of a byte's chunk is. */
  public int checksumInFile(int page, int offset) {
    return dataLength(page) + offset / chunk * type.size;
  }

  /** @return bytes in the page's file, which is what it takes on the SSD. */
  public int fileLength(int page) {
    return alignedUp(dataLength(page) + checksumLength(page) + PageTrailer.LENGTH);
  }

  /** @return where the page's file has its trailer. */
  public int trailerPosition(int page) {
    return fileLength(page) - PageTrailer.LENGTH;
  }

  /** @return the first multiple of {@link #ALIGNMENT} that is not less. */
  public static int alignedUp(int position) {
    return alignedDown(position + ALIGNMENT - 1);
  }

  /** @return the last multiple of {@link #ALIGNMENT} that is not greater. */
  public static int alignedDown(int position) {
    return position & -ALIGNMENT;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PageLayout that && type == that.type && chunk == that.chunk
        && span == that.span && blockLength == that.blockLength;
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, chunk, span, blockLength);
  }
}

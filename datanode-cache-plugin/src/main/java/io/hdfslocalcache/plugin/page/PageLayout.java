/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import java.math.BigInteger;
import java.util.Objects;

import org.apache.hadoop.util.DataChecksum;

/**
 * Where the bytes of a block are in its pages.
 *
 * <p>A page is cut into at most eight parts, so that a read of 64 KB need not fill 1 MiB. A page
 * file has the page's data, and behind it a tail for each part: the checksums of its chunks, zeros,
 * and a {@link PageTrailer}. So data and checksums of a chunk are cached, evicted and served
 * together, and each part can be verified alone. Missing parts are holes in the file. The bitmap of
 * missing parts is encoded in the file's length: length = end of the last tail + bitmap. Everything
 * else is a multiple of {@link #ALIGNMENT}, for direct I/O.
 *
 * <p>The page's data is the configured page size, rounded down to whole chunks, so that no chunk lies
 * in two pages.
 */
public final class PageLayout {

  /** Direct I/O needs positions, lengths and memory in multiples of this many bytes. */
  public static final int ALIGNMENT = 4096;

  /** Parts of a page at most: as many as a byte has bits. */
  public static final int MOST_PARTS = Byte.SIZE;

  /**
   * Minimum bytes of data in a part, if the page has more than one. With less, the 4 KiB for its
   * checksums would be more than 5 % of the written bytes.
   */
  private static final int LEAST_PART = 128 << 10;

  /** Bytes of a {@link PageTrailer}. */
  static final int TRAILER = 64;

  private static final DataChecksum USUAL_CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  private final DataChecksum.Type type;
  private final int chunk;
  private final int span;
  private final int partSpan;
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
    this.partSpan = partSpan(span, chunk);
    this.blockLength = blockLength;
  }

  /** Parts begin at the start of a chunk that is aligned for direct I/O. */
  private static int partSpan(int span, int chunk) {
    long unit = (long) chunk * ALIGNMENT
        / BigInteger.valueOf(chunk).gcd(BigInteger.valueOf(ALIGNMENT)).intValue();
    long least = Math.max(LEAST_PART, (span + MOST_PARTS - 1) / MOST_PARTS);
    return (int) Math.min(span, (least + unit - 1) / unit * unit);
  }

  /**
   * Lays out a block whose meta file was not read, with HDFS's default: a CRC32C for every 512
   * bytes.
   */
  public static PageLayout usual(int pageSize, long blockLength) {
    return new PageLayout(pageSize, USUAL_CHECKSUM, blockLength);
  }

  /**
   * Blocks without checksums are not cached, because corrupt data from the SSD could not be
   * detected; neither are blocks with chunks larger than a page.
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

  /** @return bytes of block data in a page; only the last page may have less than the span. */
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

  /** @return bytes of checksums in the block. */
  public long checksums() {
    return (blockLength + chunk - 1) / chunk * type.size;
  }

  /** @return offset, among all checksums of the block, of the checksum of a byte's chunk. */
  public long checksumPosition(long offset) {
    return offset / chunk * type.size;
  }

  /** @return the page that holds a byte of the checksums. */
  public int pageOfChecksum(long checksumPosition) {
    return Math.toIntExact(checksumPosition / type.size / (span / chunk));
  }

  /** @return number of the page's parts. */
  public int parts(int page) {
    return (dataLength(page) + partSpan - 1) / partSpan;
  }

  /** @return bits for all parts of a page. */
  public int allParts(int page) {
    return (1 << parts(page)) - 1;
  }

  /** @return the part that holds a byte of the page's data. */
  public int partOf(int position) {
    return position / partSpan;
  }

  /** @return the parts that hold these bytes of the page's data, a bit for each. */
  public int partsOf(int from, int to) {
    return (2 << partOf(Math.max(from, to - 1))) - (1 << partOf(from));
  }

  /** @return first byte of the page's data in a part. */
  public int partStart(int part) {
    return part * partSpan;
  }

  /** @return byte of the page's data after the last of a part. */
  public int partEnd(int page, int part) {
    return Math.min(dataLength(page), (part + 1) * partSpan);
  }

  /** @return bytes of checksums in a part. */
  public int partChecksumLength(int page, int part) {
    return (partEnd(page, part) - partStart(part) + chunk - 1) / chunk * type.size;
  }

  /** @return bytes of checksums in a part that is not the last of its block. */
  public int partChecksums() {
    return partSpan / chunk * type.size;
  }

  /** @return bytes from a part's first checksum to the end of its trailer. */
  public int tailLength() {
    return alignedUp(partChecksums() + TRAILER);
  }

  /** @return position of a part's checksums in the page's file. */
  public int tailPosition(int page, int part) {
    return alignedUp(dataLength(page)) + part * tailLength();
  }

  /** @return bytes in the page's file up to the end of the last tail. */
  public int fileLength(int page) {
    return tailPosition(page, parts(page));
  }

  /** @return length of the page's file with some parts. */
  public int fileLength(int page, int parts) {
    return fileLength(page) + (allParts(page) & ~parts);
  }

  /** @return whether a page's file can have this length. */
  public static boolean isFileLength(long length) {
    return length >= ALIGNMENT && length % ALIGNMENT < 1 << MOST_PARTS;
  }

  /**
   * @return the parts in a page's file, a bit for each; bits of parts behind the end of the block
   *     may be set
   */
  public static int partsIn(long fileLength) {
    return ~(int) (fileLength % ALIGNMENT) & (1 << MOST_PARTS) - 1;
  }

  /**
   * @return bytes that a page's file takes on the SSD, estimated by its length; exact for blocks
   *     with default checksums
   */
  public static long spaceOfFile(int pageSize, long fileLength) {
    PageLayout usual = usual(pageSize, pageSize);
    long part = alignedUp(usual.partSpan) + usual.tailLength();
    long missing = fileLength % ALIGNMENT;
    long whole = fileLength - missing;
    int parts = (int) ((whole + part - 1) / part);
    boolean isLastMissing = missing >>> parts - 1 != 0;
    // Only the last part can be shorter than the others.
    return isLastMissing ? Math.max(1, parts - Long.bitCount(missing)) * part
        : Math.max(ALIGNMENT, whole - Long.bitCount(missing) * part);
  }

  /** @return bytes that some parts of a page take on the SSD. */
  public int space(int page, int parts) {
    return alignedUp(dataLength(page, parts)) + Integer.bitCount(parts & allParts(page)) * tailLength();
  }

  /** @return bytes that all pages of a block take on the SSD, if it has default checksums. */
  public static long spaceOfBlock(int pageSize, long blockLength) {
    PageLayout usual = usual(pageSize, blockLength);
    int last = usual.pages() - 1;
    return last < 0 ? 0 : (long) last * usual.space(0, usual.allParts(0))
        + usual.space(last, usual.allParts(last));
  }

  /** @return bytes of data in some parts of a page. */
  public int dataLength(int page, int parts) {
    return common(parts, 0, dataLength(page));
  }

  /** @return how many bytes of a range of the page's data are in some parts. */
  public int common(int parts, int from, int to) {
    int common = 0;
    for (int rest = parts; rest != 0; rest &= rest - 1) {
      int start = partStart(Integer.numberOfTrailingZeros(rest));
      common += Math.max(0, Math.min(to, start + partSpan) - Math.max(from, start));
    }
    return common;
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

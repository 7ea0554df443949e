/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.function.BooleanSupplier;

/** Counts what became of the reads, and what it cost the SSD. */
final class ReadCounts {

  /** Equal spans of the trace for which bytes are counted apart. */
  static final int SPANS = 60;

  private final PageTrace pages;
  private final long spanMillis;
  final long[] spanBytes = new long[SPANS];
  final long[] spanHitBytes = new long[SPANS];
  final long[] spanWritten = new long[SPANS];
  long bytes;
  long hitBytes;
  long sharedBytes;
  long pageHits;
  long hits;
  long partialHits;
  long missesAdmitted;
  long missesNotAdmitted;
  long fills;
  long partsWritten;
  long written;
  long evictions;
  long evictionsWithoutRead;

  private long readHitBytes;
  private int span;

  ReadCounts(PageTrace pages) {
    this.pages = pages;
    this.spanMillis = pages.spanMillis() / SPANS + 1;
  }

  /** Bytes of a page come from the SSD. @param isAll whether all that the read wants of it do */
  void hit(int pageBytes, boolean isAll) {
    pageHits += isAll ? 1 : 0;
    readHitBytes += pageBytes;
  }

  /** Bytes of a page come by the visit of another read. */
  void shared(int pageBytes) {
    sharedBytes += pageBytes;
  }

  /**
   * Parts of a page were written to the SSD.
   *
   * @param isNew whether nothing of the page was there
   * @param space bytes, checksums included
   */
  void filled(int parts, boolean isNew, long space) {
    fills += isNew ? 1 : 0;
    partsWritten += Integer.bitCount(parts);
    written += space;
    spanWritten[span] += space;
  }

  /** A page is evicted. */
  void evicted(boolean wasRead) {
    evictions++;
    evictionsWithoutRead += wasRead ? 0 : 1;
  }

  /** All pages of a read are done. @param admitted whether its block is; asked if all is missed */
  void endRead(int read, BooleanSupplier admitted) {
    long length = pages.length(read);
    span = (int) (pages.millis(read) / spanMillis);
    bytes += length;
    hitBytes += readHitBytes;
    spanBytes[span] += length;
    spanHitBytes[span] += readHitBytes;
    if (readHitBytes == length) {
      hits++;
    } else if (readHitBytes > 0) {
      partialHits++;
    } else if (admitted.getAsBoolean()) {
      missesAdmitted++;
    } else {
      missesNotAdmitted++;
    }
    readHitBytes = 0;
  }
}

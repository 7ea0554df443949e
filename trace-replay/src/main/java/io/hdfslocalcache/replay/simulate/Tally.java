/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

/** Counts what became of the reads and what it cost. */
final class Tally {

  /** Parts of the trace for which bytes are counted apart. */
  static final int PARTS = 60;

  private final PageTrace pages;
  private final long partMillis;
  final long[] partBytes = new long[PARTS];
  final long[] partHitBytes = new long[PARTS];
  long bytes;
  long hitBytes;
  long pageHits;
  long hits;
  long partialHits;
  long missesAdmitted;
  long missesNotAdmitted;
  long fills;
  long written;
  long evictions;
  long evictionsWithoutRead;
  long diskReads;
  long diskBytes;

  private long readHitBytes;
  private boolean lastWasMiss;

  Tally(PageTrace pages) {
    this.pages = pages;
    this.partMillis = pages.spanMillis() / PARTS + 1;
  }

  /** A page of a read was on the SSD. */
  void hit(int pageBytes) {
    pageHits++;
    readHitBytes += pageBytes;
    lastWasMiss = false;
  }

  /** A page of a read comes from the disk. Pages in a row are one operation. */
  void miss(int pageBytes) {
    if (!lastWasMiss) {
      diskReads++;
    }
    lastWasMiss = true;
    diskBytes += pageBytes;
  }

  /**
   * A page is filled. The bytes of it that the read has not asked for come from the disk; the
   * others are in the OS page cache.
   */
  void fill(int page, int pageBytes) {
    fills++;
    written += pages.fileBytes(page);
    diskBytes += pages.dataBytes(page) - pageBytes;
  }

  /** A page is evicted. */
  void evicted(boolean wasRead) {
    evictions++;
    evictionsWithoutRead += wasRead ? 0 : 1;
  }

  /** All pages of a read are done. @param gate tells whether its block is admitted; null: yes */
  void endRead(int read, Gate gate) {
    long length = pages.length(read);
    int part = (int) (pages.millis(read) / partMillis);
    bytes += length;
    hitBytes += readHitBytes;
    partBytes[part] += length;
    partHitBytes[part] += readHitBytes;
    if (readHitBytes == length) {
      hits++;
    } else if (readHitBytes > 0) {
      partialHits++;
    } else if (gate == null || gate.admits()) {
      missesAdmitted++;
    } else {
      missesNotAdmitted++;
    }
    readHitBytes = 0;
    lastWasMiss = false;
  }
}

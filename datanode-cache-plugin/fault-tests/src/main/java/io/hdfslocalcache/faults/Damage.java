/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.util.Arrays;

import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.testing.LocalCacheCluster;

/** What can become of a page file. Its data comes first, then checksums, then the trailer. */
public enum Damage {
  /** A bit of the data is flipped. */
  DATA_BIT((page, other, older) -> flipped(page, 5000)),
  /** A bit of a checksum is flipped. */
  CHECKSUM_BIT((page, other, older) -> flipped(page, Damage.DATA + 17)),
  /** A bit of the trailer is flipped. */
  TRAILER_BIT((page, other, older) -> flipped(page, page.length - PageTrailer.LENGTH + 20)),
  /** A block of the data is zero. */
  DATA_ZERO((page, other, older) -> zeroed(page, 8192, 8192 + 4096)),
  /** Checksums and trailer are zero. */
  CHECKSUMS_ZERO((page, other, older) -> zeroed(page, Damage.DATA, page.length)),
  /** Everything is zero. */
  ALL_ZERO((page, other, older) -> zeroed(page, 0, page.length)),
  /** It is another page of the same block. */
  SWAPPED((page, other, older) -> other),
  /** A block of its data is that of another page. */
  DATA_SWAPPED((page, other, older) -> copied(other, page, 4096, 8192)),
  /** It is what it was before the block's last change: the writes since are lost. */
  STALE((page, other, older) -> older),
  /** The same, of the data only. */
  DATA_STALE((page, other, older) -> copied(older, page, 0, Damage.DATA)),
  /** The same, of checksums and trailer only. */
  CHECKSUMS_STALE((page, other, older) -> copied(older, page, Damage.DATA, page.length)),
  /** The same, of all but the trailer: data and checksums match each other. */
  ALL_BUT_TRAILER_STALE((page, other, older) ->
      copied(older, page, 0, page.length - PageTrailer.LENGTH)),
  /** Checksums and trailer are missing. */
  CUT((page, other, older) -> Arrays.copyOf(page, Damage.DATA)),
  /** There is nothing in it. */
  EMPTY((page, other, older) -> new byte[0]);

  /** Bytes of data in a full page. */
  private static final int DATA = LocalCacheCluster.PAGE;

  private final Change change;

  /** Makes of a page, which may be changed, what becomes of it. */
  private interface Change {
    byte[] apply(byte[] page, byte[] other, byte[] older);
  }

  Damage(Change change) {
    this.change = change;
  }

  private static byte[] flipped(byte[] page, int at) {
    page[at] ^= 16;
    return page;
  }

  private static byte[] zeroed(byte[] page, int from, int to) {
    Arrays.fill(page, from, to, (byte) 0);
    return page;
  }

  private static byte[] copied(byte[] source, byte[] page, int from, int to) {
    System.arraycopy(source, from, page, from, to - from);
    return page;
  }

  /**
   * @param page the sound page file, of a full page, which may be changed
   * @param other another full page of the block
   * @param older the same page before the block's last change
   * @return what becomes of it
   */
  byte[] apply(byte[] page, byte[] other, byte[] older) {
    return change.apply(page, other, older);
  }

  /** @return whether the file keeps its length, so that it can happen below a file system. */
  public boolean keepsLength() {
    return this != CUT && this != EMPTY;
  }
}

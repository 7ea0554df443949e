/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageTrailer;

/**
 * The parts of pages of one size. A part is an eighth of a page, but at least 128 KiB and at most
 * the page. Some parts of a page are a number with a bit for each of them.
 */
final class Parts {

  /** Parts of a page at most: as many as a byte has bits. */
  private static final int MOST = Byte.SIZE;
  private static final int LEAST_BYTES = 128 << 10;
  private static final int CHUNK = 512;
  private static final int CHECKSUM = 4;

  private final int bytes;
  private final int tail;

  /** Cuts pages. @param pageSize bytes of data in a page, a multiple of 4096 */
  Parts(int pageSize) {
    int eighth = PageLayout.alignedUp((pageSize + MOST - 1) / MOST);
    this.bytes = Math.min(pageSize, Math.max(LEAST_BYTES, eighth));
    this.tail = PageLayout.alignedUp(bytes / CHUNK * CHECKSUM + PageTrailer.LENGTH);
  }

  /** @return the parts that hold bytes of a page. @param to the byte after the last */
  int of(int from, int to) {
    return (2 << (to - 1) / bytes) - (1 << from / bytes);
  }

  /** @return the first byte in the page of the first of some parts. */
  int start(int parts) {
    return Integer.numberOfTrailingZeros(parts) * bytes;
  }

  /** @return the byte in the page after the last of some parts. @param data bytes in the page */
  int end(int parts, int data) {
    return Math.min(data, (Integer.SIZE - Integer.numberOfLeadingZeros(parts)) * bytes);
  }

  /** @return how many of the bytes of a page from one to another are in some parts. */
  int common(int parts, int from, int to) {
    int common = 0;
    for (int rest = parts; rest != 0; rest &= rest - 1) {
      int start = start(rest);
      common += Math.max(0, Math.min(to, start + bytes) - Math.max(from, start));
    }
    return common;
  }

  /** @return bytes that some parts take on the SSD with checksums. @param data bytes in the page */
  int space(int parts, int data) {
    int space = 0;
    for (int rest = parts; rest != 0; rest &= rest - 1) {
      int start = start(rest);
      space += PageLayout.alignedUp(Math.min(data, start + bytes) - start) + tail;
    }
    return space;
  }
}

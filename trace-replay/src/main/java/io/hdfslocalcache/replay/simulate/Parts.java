/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import io.hdfslocalcache.plugin.page.PageLayout;

/** The parts of pages of one size. Some parts of a page are a number with a bit for each of them. */
final class Parts {

  private final PageLayout layout;

  /** Cuts pages. @param pageSize bytes of data in a page, a multiple of 4096 */
  Parts(int pageSize) {
    this.layout = PageLayout.usual(pageSize, pageSize);
  }

  /** @return the parts that hold bytes of a page. @param to the byte after the last */
  int of(int from, int to) {
    return layout.partsOf(from, to);
  }

  /** @return the first byte in the page of the first of some parts. */
  int start(int parts) {
    return layout.partStart(Integer.numberOfTrailingZeros(parts));
  }

  /** @return the byte in the page after the last of some parts. @param data bytes in the page */
  int end(int parts, int data) {
    return Math.min(data, layout.partStart(Integer.SIZE - Integer.numberOfLeadingZeros(parts)));
  }

  /** @return how many of the bytes of a page from one to another are in some parts. */
  int common(int parts, int from, int to) {
    return layout.common(parts, from, to);
  }

  /** @return bytes that some parts take on the SSD with checksums. @param data bytes in the page */
  int space(int parts, int data) {
    return PageLayout.alignedUp(common(parts, 0, data))
        + Integer.bitCount(parts) * layout.tailLength();
  }
}

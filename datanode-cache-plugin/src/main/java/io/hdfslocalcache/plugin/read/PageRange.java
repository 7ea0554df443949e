/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;

import io.hdfslocalcache.plugin.memory.PageBytes;

/**
 * Some chunks of a page, ready to be sent.
 *
 * @param page index of the page
 * @param from first byte of the page's data in the range
 * @param to byte of the page's data after the range
 * @param bytes where they are, closed with the range; null: in the replica
 */
record PageRange(int page, int from, int to, PageBytes bytes) implements Closeable {

  boolean isOfReplica() {
    return bytes == null;
  }

  /** @return whether this reader has got the bytes from the replica itself. */
  boolean isVisit() {
    return bytes != null && bytes.origin() == PageBytes.Origin.REPLICA;
  }

  /** @return whether the range holds a byte of the page's data. */
  boolean holds(int ofPage, int position) {
    return page == ofPage && from <= position && position < to;
  }

  /** @return whether the range lies before a byte of the block. */
  boolean isBefore(int otherPage, int position) {
    return page < otherPage || page == otherPage && to <= position;
  }

  /** @return the range's bytes from a position in the page on, at most so many. */
  int available(int position, int atMost) {
    return Math.min(atMost, to - position);
  }

  /** @return the same range of the replica. */
  PageRange ofReplica() {
    return new PageRange(page, from, to, null);
  }

  @Override
  public void close() {
    if (bytes != null) {
      bytes.close();
    }
  }
}

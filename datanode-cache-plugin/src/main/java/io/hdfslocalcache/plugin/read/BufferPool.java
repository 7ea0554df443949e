/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.nio.ByteBuffer;

import org.apache.hadoop.util.DirectBufferPool;

/**
 * Buffers outside the heap, for a copy on the heap would be copied once more on its way to the
 * socket. A reader takes one from all readers' pool when it first needs one of a size, uses it for
 * packet after packet, so that it stays in the CPU's cache, and gives it back at its end.
 *
 * <p>Used by one thread.
 */
final class BufferPool implements AutoCloseable {

  private static final int SMALLEST = 4096;
  private static final DirectBufferPool SHARED = new DirectBufferPool();

  private ByteBuffer spare;

  /** @return a buffer of this capacity at least, to be given back. */
  ByteBuffer take(int capacity) {
    ByteBuffer own = spare;
    if (own != null && own.capacity() >= capacity) {
      spare = null;
      return own.clear();
    }
    return SHARED.getBuffer(rounded(capacity));
  }

  /** Few sizes, so that buffers are found again; quarters, so that little of them is unused. */
  private static int rounded(int capacity) {
    int quarter = Math.max(SMALLEST, Integer.highestOneBit(capacity - 1) >> 2);
    return (capacity + quarter - 1) / quarter * quarter;
  }

  /** Takes a buffer back, which nobody uses any more. */
  void give(ByteBuffer buffer) {
    if (spare == null) {
      spare = buffer;
    } else {
      SHARED.returnBuffer(buffer);
    }
  }

  @Override
  public void close() {
    if (spare != null) {
      SHARED.returnBuffer(spare);
      spare = null;
    }
  }
}

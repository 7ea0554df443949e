/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/** Counts the bytes of a file as they are read. */
final class CountingStream extends FilterInputStream {

  private final LongConsumer listener;
  private long untold;

  CountingStream(InputStream in, LongConsumer listener) {
    super(in);
    this.listener = listener;
  }

  /** Tells the listener how many bytes have been read since it was told last. */
  void tell() {
    listener.accept(untold);
    untold = 0;
  }

  @Override
  public int read() throws IOException {
    int b = super.read();
    untold += b < 0 ? 0 : 1;
    return b;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int n = super.read(buffer, offset, length);
    untold += Math.max(0, n);
    return n;
  }
}

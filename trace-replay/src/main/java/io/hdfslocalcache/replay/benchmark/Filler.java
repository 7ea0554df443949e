/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;

/** Bytes to be written that do not compress. */
public final class Filler {

  private static final int CHUNK = 1 << 20;

  private final byte[] chunk = new byte[CHUNK];

  /** @param seed the same seed gives the same bytes */
  public Filler(long seed) {
    new Random(seed).nextBytes(chunk);
  }

  /** Writes so many bytes. */
  public void write(OutputStream out, long length) throws IOException {
    for (long left = length; left > 0; left -= CHUNK) {
      out.write(chunk, 0, (int) Math.min(CHUNK, left));
    }
  }
}

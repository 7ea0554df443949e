/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.junit.Test;

public class TestBenchFiles {

  private static final int FILE = 3;
  private static final long OFFSET = 4096;

  private final byte[] buffer = new byte[1024];

  private void fill() {
    ByteBuffer words = ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = OFFSET; words.hasRemaining(); at += Long.BYTES) {
      words.putLong(BenchFiles.word(FILE, at));
    }
  }

  @Test
  public void check_whatWasWritten_passes() throws IOException {
    fill();
    BenchFiles.check(FILE, OFFSET, buffer, buffer.length);
  }

  @Test
  public void check_oneBitFlipped_fails() {
    fill();
    buffer[777] ^= 4;

    IOException e = assertThrows(IOException.class,
        () -> BenchFiles.check(FILE, OFFSET, buffer, buffer.length));
    assertTrue(e.getMessage(), e.getMessage().contains("/bench/3 at " + (OFFSET + 776)));
  }

  @Test
  public void check_anotherPlace_fails() {
    fill();
    assertThrows(IOException.class,
        () -> BenchFiles.check(FILE, OFFSET + 8, buffer, buffer.length));
    assertThrows(IOException.class,
        () -> BenchFiles.check(FILE + 1, OFFSET, buffer, buffer.length));
  }
}

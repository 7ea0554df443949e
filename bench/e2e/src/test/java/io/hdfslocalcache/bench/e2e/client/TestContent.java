/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;

import io.hdfslocalcache.bench.e2e.client.Files.Content;
import org.junit.Test;

public class TestContent {

  private static final int FILE = 3;
  private static final long OFFSET = 4096;

  private final byte[] buffer = new byte[1024];

  @Test
  public void check_whatWasFilled_passes() throws IOException {
    Content.fill(FILE, OFFSET, buffer);

    Content.check(FILE, OFFSET, buffer, buffer.length);
  }

  @Test
  public void check_oneBitFlipped_fails() {
    Content.fill(FILE, OFFSET, buffer);
    buffer[777] ^= 4;

    IOException e = assertThrows(IOException.class,
        () -> Content.check(FILE, OFFSET, buffer, buffer.length));

    assertTrue(e.getMessage(), e.getMessage().contains("/bench/3 at " + (OFFSET + 776)));
  }

  @Test
  public void check_anotherPlace_fails() {
    Content.fill(FILE, OFFSET, buffer);

    assertThrows(IOException.class, () -> Content.check(FILE, OFFSET + 8, buffer, buffer.length));
    assertThrows(IOException.class, () -> Content.check(FILE + 1, OFFSET, buffer, buffer.length));
  }
}

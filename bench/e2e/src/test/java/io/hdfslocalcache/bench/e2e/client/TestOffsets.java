/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.HashSet;
import java.util.Set;

import org.junit.Test;

public class TestOffsets {

  private static final long FILE = 1 << 20;
  private static final int SIZE = 1 << 16;

  @Test
  public void once_everyPlaceOnce_thenNoMore() {
    Offsets offsets = Offsets.once(Load.pread(1, SIZE, 0, 0, 2).once(SIZE), FILE);

    Set<Long> seen = new HashSet<>();
    long last = -1;
    int descents = 0;
    for (long at = offsets.next(); at >= 0; at = offsets.next()) {
      assertEquals(0, at % SIZE);
      assertTrue("twice: " + at, seen.add(at));
      descents += at < last ? 1 : 0;
      last = at;
    }

    assertEquals(2 * FILE / SIZE, seen.size());
    assertTrue("not in random order", descents > 5);
    assertEquals(-1, offsets.next());
  }

  @Test
  public void random_readsFitIntoFiles() {
    Offsets offsets = Offsets.random(Load.pread(1, SIZE, 1, 0, 3), FILE, 42);

    Set<Long> files = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      long at = offsets.next();
      files.add(at / FILE);
      assertEquals(0, at % 4096);
      assertTrue("beyond the end: " + at, at % FILE + SIZE <= FILE);
    }

    assertEquals(Set.of(0L, 1L, 2L), files);
  }
}

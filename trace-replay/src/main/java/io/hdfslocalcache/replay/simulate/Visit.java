/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;

/** The next visit to the disk of a read: bytes of its block in a row, and what is kept of them. */
final class Visit {

  private static final int FEW = 16;

  private long from;
  private long to;
  private int kept;
  private int[] pages = new int[FEW];
  private int[] parts = new int[FEW];

  /** @return whether nothing is to be read. */
  boolean isEmpty() {
    return from == to;
  }

  /** @return whether a visit that goes on there needs no second one. */
  boolean reaches(long position) {
    return to == position;
  }

  /** Begins, or goes on where it reaches. */
  void read(long start, long end) {
    from = isEmpty() ? start : from;
    to = end;
  }

  /** Some parts of a page that it reads go to the SSD. */
  void keep(int page, int partsOfIt) {
    if (kept == pages.length) {
      pages = Arrays.copyOf(pages, 2 * kept);
      parts = Arrays.copyOf(parts, 2 * kept);
    }
    pages[kept] = page;
    parts[kept++] = partsOfIt;
  }

  /** @return bytes to read. */
  long bytes() {
    return to - from;
  }

  /** It is on its way. @param end when its bytes are there, in milliseconds of the trace */
  void leave(double end, Flights flights) {
    for (int i = 0; i < kept; i++) {
      flights.add(pages[i], parts[i], end);
    }
    kept = 0;
    from = to;
  }
}

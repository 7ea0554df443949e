/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The clairvoyant bound: Belady's MIN on pages, with bypass. Of all pages it holds those that are
 * read again soonest; a page that is not among them is not filled. No demand-filled local cache of
 * this size has more page hits, whatever its limiter and eviction. It is no strict bound for bytes
 * and requests, of which reads may have several with parts of pages, and it heeds no write budget.
 * A page is written only if it is read from the SSD later.
 */
final class Clairvoyant {

  private final Setting setting;
  private final PageTrace trace;
  private final int capacity;
  private final Tally tally;
  /** Place of the next read of the same page, by place. */
  private final int[] next;
  /** Next places of the pages on the SSD. */
  private final PlaceSet held;
  /** By page: whether it is on the SSD without having been read from it. */
  private final long[] fresh;
  private int mostPages;

  Clairvoyant(Setting setting, PageTrace trace) {
    this.setting = setting;
    this.trace = trace;
    this.capacity = setting.capacityPages(trace);
    this.tally = new Tally(trace);
    this.next = next(trace);
    this.held = new PlaceSet(trace.accesses());
    this.fresh = new long[trace.pages() / Long.SIZE + 1];
  }

  private static int[] next(PageTrace trace) {
    int[] last = new int[trace.pages()];
    Arrays.fill(last, Integer.MAX_VALUE);
    int[] next = new int[trace.accesses()];
    for (int place = next.length - 1; place >= 0; place--) {
      int page = trace.page(place);
      next[place] = last[page];
      last[page] = place;
    }
    return next;
  }

  /** Plays the trace; see {@link Simulation#run}. */
  Result run(Disk disk, LongConsumer progress) {
    for (int i = 0; i < trace.reads(); i++) {
      int end = trace.first(i + 1);
      for (int place = trace.first(i); place < end; place++) {
        access(i, place);
      }
      tally.endRead(i, null);
      if ((i + 1) % Simulation.STEP == 0) {
        progress.accept(Simulation.STEP);
      }
    }
    progress.accept(trace.reads() % Simulation.STEP);
    return Result.of(setting, "clairvoyant (Belady's MIN on pages)", trace, tally, disk,
        mostPages, 0);
  }

  private void access(int read, int place) {
    int page = trace.page(place);
    int bytes = trace.bytes(read, place);
    boolean hit = held.remove(place);
    if (hit) {
      tally.hit(bytes);
      if (isFresh(page)) {
        tally.fill(page, trace.dataBytes(page));
      }
    } else {
      tally.miss(bytes);
    }
    if (next[place] != Integer.MAX_VALUE) {
      held.add(next[place]);
      setFresh(page, !hit);
      if (held.size() > capacity) {
        held.remove(held.last());
      }
      mostPages = Math.max(mostPages, held.size());
    }
  }

  private boolean isFresh(int page) {
    return (fresh[page / Long.SIZE] & 1L << page) != 0;
  }

  private void setFresh(int page, boolean value) {
    if (value) {
      fresh[page / Long.SIZE] |= 1L << page;
    } else {
      fresh[page / Long.SIZE] &= ~(1L << page);
    }
  }
}

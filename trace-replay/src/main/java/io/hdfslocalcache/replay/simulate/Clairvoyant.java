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
 * A page is written only if it is read from the SSD later. It knows no parts: a page is there as a
 * whole, takes the space of a whole one, and comes to the SSD without a visit to the disk. A local
 * cache that keeps just the parts that are read can hold more pages, and may have more hits.
 */
final class Clairvoyant {

  private final Setting setting;
  private final PageTrace trace;
  private final int capacity;
  private final Tally tally;
  private final DiskMeter disks;
  private final Visit visit = new Visit();
  /** Place of the next read of the same page, by place. */
  private final int[] next;
  /** Next places of the pages on the SSD. */
  private final PlaceSet held;
  /** By page: whether it is on the SSD without having been read from it. */
  private final long[] fresh;
  private int mostPages;

  /** Prepares a run. @param disk the HDDs */
  Clairvoyant(Setting setting, PageTrace trace, Disk disk) {
    this.setting = setting;
    this.trace = trace;
    this.capacity = setting.capacityPages(trace);
    this.tally = new Tally(trace);
    this.disks = new DiskMeter(trace, disk);
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
  Result run(DiskLoad without, LongConsumer progress) {
    for (int i = 0; i < trace.reads(); i++) {
      read(i);
      if ((i + 1) % Simulation.STEP == 0) {
        progress.accept(Simulation.STEP);
      }
    }
    progress.accept(trace.reads() % Simulation.STEP);
    return Result.of(setting, "clairvoyant (Belady's MIN on pages)", trace, tally,
        disks.load(), without, 0, mostPages, 0);
  }

  private void read(int i) {
    double served = trace.millis(i);
    for (int place = trace.first(i); place < trace.first(i + 1); place++) {
      long start = trace.start(trace.page(place));
      if (!access(i, place)) {
        if (!visit.reaches(start + trace.from(i, place))) {
          served = Math.max(served, leave(i));
        }
        visit.read(start + trace.from(i, place), start + trace.to(i, place));
      }
    }
    served = Math.max(served, leave(i));
    tally.endRead(i, null);
    disks.served(i, served);
  }

  private double leave(int i) {
    if (visit.isEmpty()) {
      return 0;
    }
    double end = disks.visit(i, visit.bytes());
    visit.leave(end, null);
    return end;
  }

  /** @return whether a page of a read is on the SSD. */
  private boolean access(int read, int place) {
    int page = trace.page(place);
    boolean hit = held.remove(place);
    if (hit) {
      tally.hit(trace.to(read, place) - trace.from(read, place), true);
      if (isFresh(page)) {
        int all = trace.parts().of(0, trace.dataBytes(page));
        tally.filled(all, true, trace.space(page, all));
      }
    }
    if (next[place] != Integer.MAX_VALUE) {
      held.add(next[place]);
      setFresh(page, !hit);
      if (held.size() > capacity) {
        held.remove(held.last());
      }
      mostPages = Math.max(mostPages, held.size());
    }
    return hit;
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

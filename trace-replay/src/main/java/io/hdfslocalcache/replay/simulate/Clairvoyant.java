/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;
import java.util.BitSet;

import io.hdfslocalcache.replay.simulate.Sweep.Setting;

/**
 * The clairvoyant bound: Belady's MIN on pages, with bypass. It holds the pages that are read again
 * soonest; other pages are not filled. No demand-filled local cache of this size has more page
 * hits, whatever its limiter and order of eviction. It is not a strict bound for bytes and
 * requests, because reads may touch parts of several pages, and it has no write budget.
 * A page is written only if it is read from the SSD later. It has no parts: a page is always
 * complete, takes the space of a complete one, and is written to the SSD without a visit to the
 * disk. A local cache that stores only the parts that are read can hold more pages, and may have
 * more hits.
 */
final class Clairvoyant extends Simulation {

  private final int capacity;
  /** Place of the next read of the same page, by place. */
  private final int[] next;
  /** Next places of the pages on the SSD. */
  private final BitSet held = new BitSet();
  private int heldPages;
  /** By page: whether it is on the SSD without having been read from it. */
  private final BitSet fresh = new BitSet();

  /** Prepares a run. @param disk the HDDs */
  Clairvoyant(Setting setting, PageTrace trace, Disk disk) {
    super(setting, "clairvoyant (Belady's MIN on pages)", trace, disk);
    this.capacity = setting.capacityPages(trace);
    this.next = next(trace);
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

  @Override
  void readPage(int read, int place) {
    int page = trace.page(place);
    int from = trace.from(read, place);
    int to = trace.to(read, place);
    boolean hit = held.get(place);
    if (hit) {
      remove(place);
      hit(to - from, true);
      countFill(page);
    } else {
      visit(trace.start(page) + from, trace.start(page) + to);
    }
    if (next[place] != Integer.MAX_VALUE) {
      hold(next[place]);
      fresh.set(page, !hit);
    }
  }

  /** Counts the fill at the first read from the SSD, which makes it worth it. */
  private void countFill(int page) {
    if (fresh.get(page)) {
      int all = trace.layout().partsOf(0, trace.dataBytes(page));
      filled(all, true, trace.space(page, all));
    }
  }

  /** If the SSD is full, the page that is read again last is evicted or not filled. */
  private void hold(int nextPlace) {
    int last = held.length() - 1;
    if (heldPages == capacity) {
      if (nextPlace > last) {
        return;
      }
      remove(last);
    }
    held.set(nextPlace);
    heldPages++;
    mostPages = Math.max(mostPages, heldPages);
  }

  private void remove(int place) {
    held.clear(place);
    heldPages--;
  }
}

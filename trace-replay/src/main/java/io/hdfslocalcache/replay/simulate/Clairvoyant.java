/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;
import java.util.BitSet;

import io.hdfslocalcache.replay.simulate.Sweep.Setting;

/**
 * The clairvoyant bound: Belady's MIN on pages, with bypass. Of all pages it holds those that are
 * read again soonest; a page that is not among them is not filled. No demand-filled local cache of
 * this size has more page hits, whatever its limiter and order of eviction. It is no strict bound for bytes
 * and requests, of which reads may have several with parts of pages, and it heeds no write budget.
 * A page is written only if it is read from the SSD later. It knows no parts: a page is there as a
 * whole, takes the space of a whole one, and comes to the SSD without a visit to the disk. A local
 * cache that keeps just the parts that are read can hold more pages, and may have more hits.
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

  /** What is read from the SSD for the first time has been worth a fill. */
  private void countFill(int page) {
    if (fresh.get(page)) {
      int all = trace.layout().partsOf(0, trace.dataBytes(page));
      filled(all, true, trace.space(page, all));
    }
  }

  /** Of a full SSD, the page leaves that is read again last, or it does not come at all. */
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

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * What could be had by knowing the future, as a yardstick: a page is kept from one read to the next
 * exactly while the next comes within a time G, and enters only if it will then be hit at least k
 * times; G and k are the best of a grid under which the mean number of pages kept is at most the
 * capacity and writes are within an allowance. It is neither reachable (it needs the future, and
 * holds the capacity only on average) nor a strict upper bound (all pages have the same G and k).
 */
final class Clairvoyant {
  private static final int[] LEAST_HITS = {1, 2, 3, 5, 8, 16};
  private static final int GAPS = 12;

  private record Choice(double offload, long written) {
  }

  private final Trace trace;
  private final int[] firstTouch;
  private final int[] millis;
  private final int[] bytes;
  private final List<Choice> choices = new ArrayList<>();
  private long allBytes;

  Clairvoyant(Trace trace) {
    this.trace = trace;
    int pages = trace.blocks * trace.pagesPerBlock;
    this.firstTouch = new int[pages + 1];
    for (int read = 0; read < trace.size(); read++) {
      for (int page = trace.firstPage(read); page <= trace.lastPage(read); page++) {
        firstTouch[page + 1]++;
      }
    }
    for (int page = 0; page < pages; page++) {
      firstTouch[page + 1] += firstTouch[page];
    }
    this.millis = new int[firstTouch[pages]];
    this.bytes = new int[firstTouch[pages]];
    sortByPage();
    double shortest = Math.log(60_000);
    double longest = Math.log(trace.durationMillis() + 1.0);
    for (int least : LEAST_HITS) {
      for (int i = 0; i <= GAPS; i++) {
        choose((int) Math.exp(shortest + (longest - shortest) * i / GAPS), least);
      }
    }
  }

  private void sortByPage() {
    int[] next = firstTouch.clone();
    for (int read = 0; read < trace.size(); read++) {
      for (int page = trace.firstPage(read); page <= trace.lastPage(read); page++) {
        int at = next[page]++;
        millis[at] = trace.millis(read);
        bytes[at] = trace.bytesOf(read, page);
        allBytes += bytes[at];
      }
    }
  }

  /** Returns the best offload with no more than so many pages written. */
  double offload(double pagesWritten) {
    double best = 0;
    for (Choice choice : choices) {
      best = choice.written <= pagesWritten ? Math.max(best, choice.offload) : best;
    }
    return best;
  }

  /** Adds one G and k, unless they take more than the capacity. */
  private void choose(int gap, int leastHits) {
    long hitBytes = 0;
    long kept = 0;
    long written = 0;
    for (int page = 0; page < firstTouch.length - 1; page++) {
      int end = firstTouch[page + 1];
      for (int start = firstTouch[page]; start < end;) {
        int last = start;
        long chainBytes = 0;
        while (last + 1 < end && millis[last + 1] - millis[last] <= gap) {
          last++;
          chainBytes += bytes[last];
        }
        if (last - start >= leastHits) {
          hitBytes += chainBytes;
          kept += millis[last] - millis[start];
          written++;
        }
        start = last + 1;
      }
    }
    if (kept <= (double) trace.capacityPages * trace.durationMillis()) {
      choices.add(new Choice((double) hitBytes / allBytes, written));
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Counts in which second since the beginning something happened. For one thread. */
final class SecondsCount {

  private long[] counts = new long[0];

  /** It happened once more, so many nanoseconds after the beginning. */
  void add(long nanos) {
    add((int) TimeUnit.NANOSECONDS.toSeconds(nanos), 1);
  }

  /** What another one has counted happened, too. */
  void add(SecondsCount other) {
    for (int second = 0; second < other.counts.length; second++) {
      add(second, other.counts[second]);
    }
  }

  private void add(int second, long times) {
    if (second >= counts.length) {
      counts = Arrays.copyOf(counts, second + 1);
    }
    counts[second] += times;
  }

  /** @return the counts, up to the last second in which it happened. */
  List<Long> toList() {
    return Arrays.stream(counts).boxed().toList();
  }
}

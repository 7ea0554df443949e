/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Decides as {@link BucketTimeRateLimit}, in the simplest way: the oracle of its tests. */
final class NaiveRateLimit {
  private final TreeMap<Long, Map<String, Integer>> minutes = new TreeMap<>();
  private final int threshold;
  private final int window;

  NaiveRateLimit(int threshold, int window) {
    this.threshold = threshold;
    this.window = window;
  }

  void record(long minute, String block) {
    minutes.computeIfAbsent(notBefore(minute), m -> new HashMap<>()).merge(block, 1, Integer::sum);
  }

  boolean admits(long minute, String block) {
    return reads(minute, block) > threshold;
  }

  int reads(long minute, String block) {
    return minutes.tailMap(notBefore(minute) - window, false).values().stream()
        .mapToInt(counts -> counts.getOrDefault(block, 0)).sum();
  }

  /** A thread that comes late with its minute counts as if it came now. */
  private long notBefore(long minute) {
    return minutes.isEmpty() ? minute : Math.max(minute, minutes.lastKey());
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many bytes a read asks for.
 *
 * @param mean mean, in bytes
 * @param percentiles bytes by percentile, such as {@code p50}
 * @param below share of the reads, 0 to 1, of fewer bytes than this, such as {@code 1m}
 */
public record ReadSizes(double mean, Map<String, Long> percentiles, Map<String, Double> below) {

  private static final int[] PERCENTILES = {1, 10, 25, 50, 75, 90, 99, 100};
  private static final String[] NAMES = {"1k", "10k", "100k", "1m", "10m", "100m"};
  private static final long[] LIMITS = {1L << 10, 10L << 10, 100L << 10, 1L << 20, 10L << 20,
      100L << 20};

  /** Counts sizes. @param sizes of at least one read; put in order. */
  static ReadSizes of(long[] sizes) {
    Arrays.parallelSort(sizes);
    Map<String, Long> percentiles = new LinkedHashMap<>();
    for (int p : PERCENTILES) {
      long rank = Math.max(1, (sizes.length * (long) p + 99) / 100);
      percentiles.put("p" + p, sizes[(int) rank - 1]);
    }
    Map<String, Double> below = new LinkedHashMap<>();
    for (int i = 0; i < NAMES.length; i++) {
      below.put(NAMES[i], (double) firstAtLeast(sizes, LIMITS[i]) / sizes.length);
    }
    return new ReadSizes(Arrays.stream(sizes).average().orElse(0), percentiles, below);
  }

  private static int firstAtLeast(long[] sorted, long limit) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

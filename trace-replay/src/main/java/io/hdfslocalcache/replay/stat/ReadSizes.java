/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import io.hdfslocalcache.replay.text.Text;

/**
 * How many bytes a read asks for.
 *
 * @param mean mean, in bytes
 * @param percentiles bytes by percentile, such as {@code p50}
 * @param below share of the reads, 0 to 1, of fewer bytes than this, such as {@code 1m}
 */
public record ReadSizes(double mean, Map<String, Long> percentiles, Map<String, Double> below) {

  private static final int[] PERCENTILES = {1, 10, 25, 50, 75, 90, 99, 100};
  private static final String[] LIMITS = {"1k", "10k", "100k", "1m", "10m", "100m"};

  /** Counts sizes. @param sizes of at least one read; put in order. */
  static ReadSizes of(long[] sizes) {
    Arrays.parallelSort(sizes);
    Map<String, Long> percentiles = new LinkedHashMap<>();
    for (int p : PERCENTILES) {
      long rank = Math.max(1, (sizes.length * (long) p + 99) / 100);
      percentiles.put("p" + p, sizes[(int) rank - 1]);
    }
    Map<String, Double> below = new LinkedHashMap<>();
    for (String name : LIMITS) {
      long limit = Text.parseBytes(name);
      long smaller = Arrays.stream(sizes).filter(size -> size < limit).count();
      below.put(name, (double) smaller / sizes.length);
    }
    return new ReadSizes(Arrays.stream(sizes).average().orElse(0), percentiles, below);
  }
}

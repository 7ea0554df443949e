/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.policy;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Draws 0 to n - 1, each with a probability in proportion to 1 / (number + 1)^s. */
final class Zipf {
  private final double[] cumulative;

  Zipf(int n, double s) {
    cumulative = new double[n];
    double sum = 0;
    for (int i = 0; i < n; i++) {
      sum += Math.pow(i + 1, -s);
      cumulative[i] = sum;
    }
  }

  int draw(SplittableRandom random) {
    double at = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, at);
    return Math.min(found < 0 ? ~found : found, cumulative.length - 1);
  }
}

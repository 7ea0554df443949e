/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.micro;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Numbers drawn from a Zipf distribution, made before anything is measured. */
final class Draws {
  static final int COUNT = 1 << 20;

  private final int[] draws = new int[COUNT];

  /**
   * Draws.
   *
   * @param numbers from 0 to less than this, the lower the more often
   * @param skew the distribution's exponent
   */
  Draws(int numbers, double skew) {
    double[] cumulative = new double[numbers];
    double sum = 0;
    for (int i = 0; i < numbers; i++) {
      sum += Math.pow(i + 1, -skew);
      cumulative[i] = sum;
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < COUNT; i++) {
      int found = Arrays.binarySearch(cumulative, random.nextDouble() * sum);
      draws[i] = Math.min(numbers - 1, found < 0 ? ~found : found);
    }
  }

  /** @return a place to begin at that is the calling thread's own. */
  static int start() {
    return new SplittableRandom(Thread.currentThread().getId()).nextInt(COUNT);
  }

  int get(int i) {
    return draws[i & COUNT - 1];
  }
}

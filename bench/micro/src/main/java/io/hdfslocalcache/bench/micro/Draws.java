/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.micro;

import java.util.SplittableRandom;

import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.Well19937c;

/** Numbers drawn from a Zipf distribution, made before anything is measured. */
final class Draws {
  static final int COUNT = 1 << 20;

  private final int[] draws;

  /**
   * Draws.
   *
   * @param numbers from 0 to less than this, the lower the more often
   * @param skew the distribution's exponent
   */
  Draws(int numbers, double skew) {
    draws = new ZipfDistribution(new Well19937c(1), numbers, skew).sample(COUNT);
  }

  /** @return a place to begin at that is the calling thread's own. */
  static int start() {
    return new SplittableRandom(Thread.currentThread().getId()).nextInt(COUNT);
  }

  int get(int i) {
    return draws[i & COUNT - 1] - 1;
  }
}

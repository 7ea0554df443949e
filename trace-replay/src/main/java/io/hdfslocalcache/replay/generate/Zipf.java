/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.SplittableRandom;

/**
 * A Zipf distribution: ranks from 0, in proportion to (rank + 1)^-s. Draws each rank in the same
 * time (Walker's alias).
 */
public final class Zipf {

  private final double[] threshold;
  private final int[] alias;

  /**
   * Makes a distribution.
   *
   * @param ranks how many ranks there are, at least 1
   * @param exponent s
   */
  public Zipf(int ranks, double exponent) {
    double[] scaled = new double[ranks];
    double sum = 0;
    for (int i = 0; i < ranks; i++) {
      scaled[i] = Math.pow(i + 1, -exponent);
      sum += scaled[i];
    }
    for (int i = 0; i < ranks; i++) {
      scaled[i] *= ranks / sum;
    }
    threshold = scaled;
    alias = new int[ranks];
    fillUp(scaled);
  }

  /** Gives each rank below the average the rest of its room to one above it. */
  private void fillUp(double[] scaled) {
    int ranks = scaled.length;
    int[] small = new int[ranks];
    int[] large = new int[ranks];
    int smalls = 0;
    int larges = 0;
    for (int i = 0; i < ranks; i++) {
      if (scaled[i] < 1) {
        small[smalls++] = i;
      } else {
        large[larges++] = i;
      }
    }
    while (smalls > 0 && larges > 0) {
      int poor = small[--smalls];
      int rich = large[larges - 1];
      alias[poor] = rich;
      scaled[rich] -= 1 - scaled[poor];
      if (scaled[rich] < 1) {
        larges--;
        small[smalls++] = rich;
      }
    }
    // What is left is 1 but for rounding.
    while (larges > 0) {
      threshold[large[--larges]] = 1;
    }
    while (smalls > 0) {
      threshold[small[--smalls]] = 1;
    }
  }

  /** @return a rank. */
  public int draw(SplittableRandom random) {
    int i = random.nextInt(alias.length);
    return random.nextDouble() < threshold[i] ? i : alias[i];
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import java.util.SplittableRandom;

/**
 * A Zipf distribution: ranks from 0, in proportion to (rank + 1)^-s. Draws each rank in the same
 * time (Walker's alias).
 */
public final class Zipf {

  private static final double MAX_EXPONENT = 10;
  private static final int HALVINGS = 40;

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

  /**
   * Fits the exponent s: the one under which the counts are most likely, over the ranks. The mean
   * of the ranks' logarithms falls as s rises; halving finds where it is as observed.
   *
   * @param countsDescending how often each rank came, the most frequent first, all more than 0
   * @return the exponent, from 0 to 10; 0 if there are fewer than two ranks
   */
  static double exponent(long[] countsDescending) {
    if (countsDescending.length < 2) {
      return 0;
    }
    double[] logRanks = new double[countsDescending.length];
    double sum = 0;
    double total = 0;
    for (int i = 0; i < logRanks.length; i++) {
      logRanks[i] = Math.log(i + 1.0);
      sum += countsDescending[i] * logRanks[i];
      total += countsDescending[i];
    }
    double low = 0;
    double high = MAX_EXPONENT;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (meanLogRank(logRanks, middle) > sum / total) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  private static double meanLogRank(double[] logRanks, double exponent) {
    double sum = 0;
    double weights = 0;
    for (double logRank : logRanks) {
      double weight = Math.exp(-exponent * logRank);
      sum += weight * logRank;
      weights += weight;
    }
    return sum / weights;
  }
}

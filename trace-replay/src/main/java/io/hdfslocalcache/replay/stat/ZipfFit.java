/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

/**
 * The exponent s of a Zipf distribution, by which the block of rank i is read in proportion to
 * i^-s: the one under which the counts are most likely (maximum likelihood over the ranks).
 */
final class ZipfFit {

  private static final double MAX = 10;
  private static final int STEPS = 40;

  private final double[] logRank;
  private final double meanLogRank;

  private ZipfFit(long[] countsDescending) {
    logRank = new double[countsDescending.length];
    double sum = 0;
    double total = 0;
    for (int i = 0; i < logRank.length; i++) {
      logRank[i] = Math.log(i + 1.0);
      sum += countsDescending[i] * logRank[i];
      total += countsDescending[i];
    }
    meanLogRank = sum / total;
  }

  /**
   * Fits the exponent.
   *
   * @param countsDescending reads of each block, the most read first, all of them more than 0
   * @return the exponent, from 0 to 10; 0 if there are fewer than two blocks
   */
  static double exponent(long[] countsDescending) {
    return countsDescending.length < 2 ? 0 : new ZipfFit(countsDescending).solve();
  }

  /** The mean of the ranks' logarithms falls as s rises; halving finds where it is as observed. */
  private double solve() {
    double low = 0;
    double high = MAX;
    for (int i = 0; i < STEPS; i++) {
      double s = (low + high) / 2;
      if (expectedLogRank(s) > meanLogRank) {
        low = s;
      } else {
        high = s;
      }
    }
    return (low + high) / 2;
  }

  private double expectedLogRank(double s) {
    double sum = 0;
    double weights = 0;
    for (double log : logRank) {
      double weight = Math.exp(-s * log);
      sum += weight * log;
      weights += weight;
    }
    return sum / weights;
  }
}

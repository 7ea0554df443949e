/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

/** When reads come: more by day than by night, along a sine of 24 hours. */
final class Rhythm {

  private static final int STEPS = 4096;
  private static final double DAY_MILLIS = 86_400_000;

  private final double[] cumulated = new double[STEPS + 1];
  private final long spanMillis;

  /**
   * Makes a rhythm.
   *
   * @param spanMillis how long it lasts
   * @param swing how much more than the mean comes at noon, and less at midnight; 0 to 1
   */
  Rhythm(long spanMillis, double swing) {
    this.spanMillis = spanMillis;
    for (int i = 0; i < STEPS; i++) {
      double time = (i + 0.5) / STEPS * spanMillis;
      cumulated[i + 1] =
          cumulated[i] + 1 - swing * Math.cos(2 * Math.PI * time / DAY_MILLIS);
    }
  }

  /**
   * Tells when a share of all has come.
   *
   * @param share 0 to 1, exclusively
   * @return milliseconds since the beginning
   */
  long millis(double share) {
    double target = share * cumulated[STEPS];
    int low = 0;
    int high = STEPS;
    while (high - low > 1) {
      int middle = low + high >>> 1;
      if (cumulated[middle] <= target) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double within = (target - cumulated[low]) / (cumulated[high] - cumulated[low]);
    return Math.min(spanMillis - 1, (long) ((low + within) / STEPS * spanMillis));
  }
}

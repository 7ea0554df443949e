/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

/** Complaints about options. */
final class Checks {

  private Checks() {
  }

  static void atLeast(String option, double value, double least) {
    if (!(value >= least)) {
      throw new IllegalArgumentException(option + ": must be at least "
          + (least == Math.rint(least) ? String.valueOf((long) least) : String.valueOf(least)));
    }
  }

  static void moreThanZero(String option, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(option + ": must be more than 0");
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

/** Complaints about options. */
final class Checks {

  private Checks() {
  }

  /** Complains unless something is right. */
  static void require(boolean isRight, String complaint) {
    if (!isRight) {
      throw new IllegalArgumentException(complaint);
    }
  }

  static void atLeast(String option, double value, long least) {
    require(value >= least, option + ": must be at least " + least);
  }

  static void moreThanZero(String option, double value) {
    require(value > 0 && !Double.isInfinite(value), option + ": must be more than 0");
  }
}

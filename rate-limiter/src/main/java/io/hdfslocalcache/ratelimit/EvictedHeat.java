/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.concurrent.atomic.LongAdder;

/**
 * How hot the blocks of evicted pages are: the heat that three of four pages exceed. An eviction
 * is only counted, as one above or below it. Once a minute it moves to where the counts want it.
 * Any thread may count; one thread at a time makes the step.
 */
final class EvictedHeat {
  /**
   * Three of four above, by simulation. A block may be hot while single pages of it are cold, and
   * these are the ones that leave: with a quarter above, pages that are read again are refused while
   * the budget is not spent.
   */
  private static final double SHARE_ABOVE = 0.75;
  /** A minute of many evictions that are all below lowers it by a factor of e^0.75. */
  private static final double STEP = 1;
  /** A minute with so many evictions makes half of a step: a few do not tell much. */
  private static final int FEW = 10;

  private final double least;
  private final LongAdder above = new LongAdder();
  private final LongAdder below = new LongAdder();
  private volatile double heat;

  /**
   * Begins with the least.
   *
   * @param least it is never below this
   */
  EvictedHeat(double least) {
    this.least = least;
    this.heat = least;
  }

  /** Counts an evicted page. @param ofBlock the heat of its block */
  void evicted(double ofBlock) {
    (ofBlock > heat ? above : below).increment();
  }

  /** A minute is over. */
  void step() {
    long hot = above.sumThenReset();
    long all = hot + below.sumThenReset();
    double error = (hot - SHARE_ABOVE * all) / (all + FEW);
    heat = Math.max(least, heat * Math.exp(STEP * error));
  }

  /** @return the heat that three of four evicted pages exceed, at the last step. */
  double heat() {
    return heat;
  }
}

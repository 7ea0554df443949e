/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.bench.e2e.report.Series.Interval;

/**
 * One line of the table.
 *
 * @param stock the released DataNode's figure; empty if there is nothing to compare with
 * @param own this variant's
 * @param compared what the goal is about, over the rounds
 * @param floor the same of the second released DataNode: what cannot be told from no difference
 */
record Comparison(String path, String variant, Goal goal, Series stock, Series own,
    Interval compared, Interval floor) {

  static final String STOCK = "stock";
  static final String STOCK_AGAIN = "stock again";

  /** @return a line for every goal and every variant that was measured for it. */
  static List<Comparison> all(Results results) {
    List<Comparison> lines = new ArrayList<>();
    for (String path : results.paths()) {
      for (Goal goal : Goal.ALL) {
        for (String variant : results.variants(path)) {
          Series own = results.series(path, variant, goal.figure());
          if (goal.isAbout(path, variant) && own.size() > 0) {
            lines.add(new Comparison(path, variant, goal,
                results.series(path, STOCK, goal.figure()), own,
                compared(results, path, variant, goal),
                compared(results, path, STOCK_AGAIN, goal)));
          }
        }
      }
    }
    return lines;
  }

  private static Interval compared(Results results, String path, String variant, Goal goal) {
    Series own = results.series(path, variant, goal.figure());
    Series stock = results.series(path, STOCK, goal.figure());
    return switch (goal.against()) {
      case STOCK, NOISE -> own.with(stock, (a, b) -> a / b).interval();
      case DIFFERENCE -> own.with(stock, (a, b) -> a - b).interval();
      case NOTHING -> own.interval();
    };
  }

  boolean isReached() {
    return goal.isReached(compared.median()) || isInTheNoise();
  }

  /**
   * Is a goal of no difference missed by no more than the released DataNode misses it against itself?
   */
  boolean isInTheNoise() {
    return goal.against() == Goal.Against.NOISE && !goal.isReached(compared.median())
        && floor.isKnown() && compared.median() >= floor.low() && compared.median() <= floor.high();
  }

  /** @return whether the interval has values that reach the goal and values that do not. */
  boolean isUncertain() {
    return compared.isKnown()
        && goal.isReached(compared.low()) != goal.isReached(compared.high());
  }

  /** @return what is said of the goal. */
  String verdict() {
    if (isInTheNoise()) {
      return "yes, within the noise";
    }
    return (isReached() ? "yes" : "**no**") + (isUncertain() ? ", but not certain" : "");
  }
}

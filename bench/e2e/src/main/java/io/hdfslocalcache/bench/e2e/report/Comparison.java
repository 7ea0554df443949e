/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of the table.
 *
 * @param stock the released DataNode's figure; empty if there is nothing to compare with
 * @param own this variant's
 * @param compared what the goal is about, by rounds
 */
record Comparison(String path, String variant, Goal goal, Series stock, Series own,
    Series compared) {

  /** @return a line for every goal and every variant that was measured for it. */
  static List<Comparison> all(Results results) {
    List<Comparison> lines = new ArrayList<>();
    for (String path : results.paths()) {
      for (Goal goal : Goal.ALL) {
        for (String variant : results.variants(path)) {
          Comparison line = of(results, path, variant, goal);
          if (line != null) {
            lines.add(line);
          }
        }
      }
    }
    return lines;
  }

  private static Comparison of(Results results, String path, String variant, Goal goal) {
    Series own = results.series(path, variant, goal.figure());
    if (!goal.isAbout(path, variant) || own.size() == 0) {
      return null;
    }
    Series stock = results.series(path, "stock", goal.figure());
    Series compared = switch (goal.against()) {
      case STOCK -> own.with(stock, (a, b) -> a / b);
      case DIFFERENCE -> own.with(stock, (a, b) -> a - b);
      case NOTHING -> own;
    };
    return new Comparison(path, variant, goal, stock, own, compared);
  }

  boolean isReached() {
    return goal.isReached(compared.median());
  }

  /** @return whether some rounds reached the goal and some did not. */
  boolean isInTheSpread() {
    return goal.isReached(compared.min()) != goal.isReached(compared.max());
  }
}

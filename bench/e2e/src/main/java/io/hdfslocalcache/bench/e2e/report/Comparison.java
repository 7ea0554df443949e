/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

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
   * Is a goal of no difference missed by no more than the released DataNode misses it against
   * itself?
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

  /**
   * What a figure shall reach.
   *
   * @param path regular expression
   * @param variant regular expression
   * @param against what the goal is about
   * @param min least, or not a number
   * @param max most, or not a number
   */
  record Goal(String path, String variant, Figure figure, Against against, double min, double max) {

    /** What is compared with the limits. */
    enum Against {
      /** The quotient of the figure and stock's in the same round. */
      STOCK,
      /** The same; missing it by no more than stock against itself is reaching it. */
      NOISE,
      /** The difference. */
      DIFFERENCE,
      /** The figure itself. */
      NOTHING
    }

    private static final double NONE = Double.NaN;
    private static final String SEQUENTIAL = "hit/seq-.*";
    private static final String PREAD = "hit/pread-(4k|64k)-(1|8)";

    private static final String MEMORY = "in memory";

    static final List<Goal> ALL = List.of(
        atLeast(SEQUENTIAL, MEMORY, Figure.MB_PER_SECOND, Against.STOCK, 0.97),
        atMost(SEQUENTIAL, MEMORY, Figure.CPU_SECONDS_PER_GB, Against.STOCK, 0.85),
        atMost(SEQUENTIAL, "from SSD", Figure.CPU_SECONDS_PER_GB, Against.STOCK, 1.30),
        atMost(PREAD, MEMORY, Figure.P50_MICROS, Against.STOCK, 1.00),
        atMost(PREAD, MEMORY, Figure.P99_MICROS, Against.STOCK, 1.00),
        atMost(PREAD, MEMORY, Figure.CPU_MICROS_PER_READ, Against.STOCK, 1.00),
        atLeast("hit/pread-64k-64", ".*", Figure.AGAINST_8_READERS, Against.NOTHING, 1.00),
        atLeast("bypass/seq-1", ".*", Figure.MB_PER_SECOND, Against.NOISE, 0.99),
        atMost("bypass/seq-1", ".*", Figure.CPU_SECONDS_PER_GB, Against.NOISE, 1.01),
        atLeast("bypass/pread.*", ".*", Figure.OPS_PER_SECOND, Against.NOISE, 0.99),
        atMost("bypass/pread.*", ".*", Figure.P50_MICROS, Against.NOISE, 1.01),
        atMost("bypass/pread.*", ".*", Figure.CPU_MICROS_PER_READ, Against.NOISE, 1.01),
        atMost("miss/.*", ".*", Figure.CPU_MICROS_PER_READ, Against.DIFFERENCE, 2),
        atLeast("fill/seq-1", ".*", Figure.MB_PER_SECOND, Against.STOCK, 0.97),
        atMost("fill/pread.*", ".*", Figure.P50_MICROS, Against.STOCK, 1.05),
        atMost("fill/pread.*", ".*", Figure.P99_MICROS, Against.STOCK, 1.10),
        atMost("hdd/cold-hits", ".*", Figure.HDD_READS, Against.NOTHING, 0),
        atMost("hdd/mixed-hot", ".*", Figure.P50_AGAINST_IDLE, Against.NOTHING, 1.2),
        atLeast("hdd/mixed-hot", ".*", Figure.MB_PER_SECOND, Against.STOCK, 20),
        atLeast("saturated/.*/\\d+-\\d+s", ".*", Figure.READS, Against.STOCK, 0.95),
        atLeast("saturated/.*/all-100s", ".*", Figure.READS, Against.STOCK, 1.8),
        atLeast("saturated/.*/from-60s", ".*", Figure.READS, Against.STOCK, 2.5),
        atMost("hdd/ssd-writes", ".*", Figure.WRITE_AMPLIFICATION, Against.NOTHING, 1.05));

    private static Goal atLeast(
        String path, String variant, Figure figure, Against against, double min) {
      return new Goal(path, variant, figure, against, min, NONE);
    }

    private static Goal atMost(
        String path, String variant, Figure figure, Against against, double max) {
      return new Goal(path, variant, figure, against, NONE, max);
    }

    boolean isAbout(String measuredPath, String measuredVariant) {
      return !measuredVariant.startsWith("stock") && Pattern.matches(path, measuredPath)
          && Pattern.matches(variant, measuredVariant);
    }

    boolean isReached(double value) {
      return !(value < min) && !(value > max) && !Double.isNaN(value);
    }

    @Override
    public String toString() {
      return Double.isNaN(min) ? "at most " + brief(max) : "at least " + brief(min);
    }

    private static String brief(double value) {
      return value == Math.rint(value) && value > 1.5 || value == 0
          ? String.valueOf((long) value) : String.format(Locale.ROOT, "%.2f", value);
    }
  }
}

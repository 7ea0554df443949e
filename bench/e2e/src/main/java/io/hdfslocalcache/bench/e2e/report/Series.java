/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;

/** A figure by rounds. */
public final class Series {

  private final Map<Integer, Double> values = new TreeMap<>();

  void put(int round, double value) {
    values.put(round, value);
  }

  /** @return number of rounds. */
  public int size() {
    return values.size();
  }

  /** @return not a number if there is none. */
  public double median() {
    return interval().median();
  }

  /** @return the median and where it may lie. */
  public Interval interval() {
    return Interval.of(values.values().stream().mapToDouble(v -> v).toArray());
  }

  /** @return round by round, this and another one; rounds that lack one are left out. */
  public Series with(Series other, DoubleBinaryOperator operator) {
    Series result = new Series();
    values.forEach((round, value) -> {
      Double second = other.values.get(round);
      if (second != null) {
        result.put(round, operator.applyAsDouble(value, second));
      }
    });
    return result;
  }

  /**
   * A median and where it may lie: the 95 % confidence interval by bootstrap, that is the medians
   * of the same values drawn again and again, with replacement, without the outermost 2.5 % at each
   * end. The same values always give the same interval.
   *
   * @param median not a number if there was no value
   * @param low not a number if there were fewer than two values
   * @param high not a number if there were fewer than two values
   */
  public record Interval(double median, double low, double high) {

    private static final int DRAWS = 10_000;
    private static final double OUTSIDE = 0.025;
    private static final long SEED = 42;

    /** The interval of some values, in any order. */
    public static Interval of(double... values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      if (sorted.length < 2) {
        return new Interval(median(sorted), Double.NaN, Double.NaN);
      }
      SplittableRandom random = new SplittableRandom(SEED);
      double[] medians = new double[DRAWS];
      double[] drawn = new double[sorted.length];
      for (int i = 0; i < DRAWS; i++) {
        for (int j = 0; j < drawn.length; j++) {
          drawn[j] = sorted[random.nextInt(sorted.length)];
        }
        Arrays.sort(drawn);
        medians[i] = median(drawn);
      }
      Arrays.sort(medians);
      int outside = (int) (OUTSIDE * DRAWS);
      return new Interval(median(sorted), medians[outside], medians[DRAWS - 1 - outside]);
    }

    private static double median(double[] sorted) {
      int n = sorted.length;
      return n == 0 ? Double.NaN : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    }

    /** @return whether it has ends. */
    public boolean isKnown() {
      return !Double.isNaN(low);
    }

    @Override
    public String toString() {
      return Double.isNaN(median) ? ""
          : isKnown() ? String.format(Locale.ROOT, "%.3f (%.3f to %.3f)", median, low, high)
          : String.format(Locale.ROOT, "%.3f", median);
    }
  }
}

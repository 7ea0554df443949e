/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.Map;
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
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.EnumMap;
import java.util.Map;

/**
 * One measurement.
 *
 * @param path stage and load, such as {@code hit/seq-1}
 * @param variant which DataNode
 * @param round counted from 1
 */
public record Row(String path, String variant, int round, Map<Figure, Double> figures) {

  /** A measurement without figures yet. */
  public static Row of(String path, String variant, int round) {
    return new Row(path, variant, round, new EnumMap<>(Figure.class));
  }

  /** Adds a figure. @return this. */
  public Row set(Figure figure, double value) {
    figures.put(figure, value);
    return this;
  }

  /** @return the figure, or not a number. */
  public double get(Figure figure) {
    return figures.getOrDefault(figure, Double.NaN);
  }
}

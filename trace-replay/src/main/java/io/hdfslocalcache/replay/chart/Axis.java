/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.chart;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.replay.text.Text;

/**
 * An axis of a chart.
 *
 * @param title what it shows
 * @param low its first value
 * @param high its last value, greater than the first
 * @param isLog whether equal steps are equal ratios; then the first value is more than 0
 * @param ticks values to be marked; empty: as many as look well
 */
public record Axis(String title, double low, double high, boolean isLog, List<Double> ticks) {

  private static final int TICKS = 6;

  /** @return an axis from 0 %, to 100 %. */
  public static Axis percent(String title) {
    return new Axis(title, 0, 100, false, List.of(0.0, 20.0, 40.0, 60.0, 80.0, 100.0));
  }

  /** @return an axis from 0 to a value. */
  public static Axis upTo(String title, double high) {
    return new Axis(title, 0, Math.max(high, 1e-9), false, List.of());
  }

  /** @return an axis in powers of two or ten, with marks at some values. */
  public static Axis log(String title, double low, double high, List<Double> ticks) {
    return new Axis(title, low, high > low ? high : 2 * low, true, ticks);
  }

  /** @return where a value is, from 0 to 1. */
  double place(double value) {
    return isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  }

  /** @return the values to be marked. */
  List<Double> marks() {
    if (!ticks.isEmpty()) {
      return ticks;
    }
    double step = step();
    List<Double> marks = new ArrayList<>();
    for (int i = 0; low + i * step <= high * (1 + 1e-9); i++) {
      marks.add(low + i * step);
    }
    return marks;
  }

  /** A step of 1, 2 or 5 times a power of ten. */
  private double step() {
    double rough = (high - low) / TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    for (int factor : new int[] {1, 2, 5}) {
      if (rough <= factor * power) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  /** @return a value as text, without digits that say nothing. */
  public static String text(double value) {
    if (value >= 1000 && value == Math.rint(value)) {
      return Text.count((long) value);
    }
    String text = Text.format("%.3f", value);
    return text.indexOf('.') < 0 ? text : text.replaceAll("\\.?0+$", "");
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.bench.e2e.report.Results.Timeline;

/** A picture of what was read over time, a line for each DataNode. */
final class TimeChart {

  private static final int LEFT = 60;
  private static final int TOP = 60;
  private static final int WIDTH = 760;
  private static final int HEIGHT = 300;
  private static final int SECONDS_STEP = 10;
  /** Lines across, at least: steps are 1, 2 or 5 times a power of ten. */
  private static final int LINES = 4;
  private static final List<String> COLOURS = List.of("#888", "#1464b4", "#b45014");

  private final int seconds;
  private final double most;
  private final Svg svg;

  private TimeChart(String title, Map<String, List<Double>> lines) {
    seconds = lines.values().stream().mapToInt(List::size).max().orElse(1);
    most = Math.max(1, lines.values().stream().flatMap(List::stream)
        .mapToDouble(value -> value).max().orElse(1));
    svg = new Svg(title, LEFT + WIDTH + 30, TOP + HEIGHT + 40);
  }

  /** @return for each DataNode the reads of each second, the mean of its rounds. */
  static Map<String, List<Double>> lines(List<Timeline> timelines) {
    Map<String, List<Timeline>> byVariant = new LinkedHashMap<>();
    timelines.forEach(timeline -> byVariant
        .computeIfAbsent(timeline.variant(), key -> new ArrayList<>()).add(timeline));
    Map<String, List<Double>> lines = new LinkedHashMap<>();
    byVariant.forEach((variant, rounds) -> lines.put(variant, mean(rounds)));
    return lines;
  }

  private static List<Double> mean(List<Timeline> rounds) {
    int seconds = rounds.stream().mapToInt(round -> round.reads().size()).min().orElse(0);
    List<Double> mean = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      int second = i;
      mean.add(rounds.stream().mapToLong(round -> round.reads().get(second)).average().orElse(0));
    }
    return mean;
  }

  static String svg(String title, Map<String, List<Double>> lines) {
    TimeChart chart = new TimeChart(title, lines);
    chart.grid();
    int i = 0;
    for (Map.Entry<String, List<Double>> line : lines.entrySet()) {
      String colour = COLOURS.get(i % COLOURS.size());
      chart.svg.text(LEFT + 120 * i++, 44, "start", colour, line.getKey());
      chart.curve(line.getValue(), colour);
    }
    return chart.svg.toString();
  }

  private void grid() {
    for (int second = 0; second <= seconds; second += SECONDS_STEP) {
      svg.line(x(second), TOP, "V" + (TOP + HEIGHT), "#ddd")
          .text(x(second), TOP + HEIGHT + 18, "middle", "black", second + " s");
    }
    double step = step();
    for (int line = 0; line * step <= most; line++) {
      double y = y(line * step);
      svg.line(LEFT, y, "H" + (LEFT + WIDTH), "#ddd")
          .text(LEFT - 8, y + 4, "end", "black", String.valueOf((long) (line * step)));
    }
  }

  private double step() {
    double power = Math.pow(10, Math.floor(Math.log10(most)));
    for (double step : new double[] {power, power / 2, power / 5}) {
      if (most / step >= LINES) {
        return Math.max(1, step);
      }
    }
    return Math.max(1, power / 10);
  }

  private void curve(List<Double> values, String colour) {
    svg.add("<polyline points=\"");
    for (int i = 0; i < values.size(); i++) {
      // What was read in a second stands at its middle.
      svg.add("%.1f,%.1f ", x(i + 0.5), y(values.get(i)));
    }
    svg.add("\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>%n", colour);
  }

  private double x(double second) {
    return LEFT + WIDTH * second / seconds;
  }

  private double y(double value) {
    return TOP + HEIGHT * (1 - value / most);
  }
}

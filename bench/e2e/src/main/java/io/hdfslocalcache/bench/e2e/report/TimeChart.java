/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

  private TimeChart() {
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
    int seconds = lines.values().stream().mapToInt(List::size).max().orElse(1);
    double most = Math.max(1, lines.values().stream().flatMap(List::stream)
        .mapToDouble(value -> value).max().orElse(1));
    StringBuilder svg = new StringBuilder();
    add(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        + "font-family=\"sans-serif\" font-size=\"11\">%n", LEFT + WIDTH + 30, TOP + HEIGHT + 40);
    add(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n"
        + "<text x=\"10\" y=\"22\" font-size=\"15\">%s</text>%n", title);
    grid(svg, seconds, most);
    int i = 0;
    for (Map.Entry<String, List<Double>> line : lines.entrySet()) {
      String colour = COLOURS.get(i % COLOURS.size());
      add(svg, "<text x=\"%d\" y=\"44\" fill=\"%s\" font-weight=\"bold\">%s</text>%n",
          LEFT + 120 * i++, colour, line.getKey());
      curve(svg, line.getValue(), seconds, most, colour);
    }
    return svg.append("</svg>\n").toString();
  }

  private static void grid(StringBuilder svg, int seconds, double most) {
    for (int second = 0; second <= seconds; second += SECONDS_STEP) {
      add(svg, "<path d=\"M%.1f %dV%d\" stroke=\"#ddd\"/>"
          + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d s</text>%n",
          x(second, seconds), TOP, TOP + HEIGHT, x(second, seconds), TOP + HEIGHT + 18, second);
    }
    double step = step(most);
    for (int line = 0; line * step <= most; line++) {
      double y = y(line * step, most);
      add(svg, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>"
          + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>%n", LEFT, y, LEFT + WIDTH,
          LEFT - 8, y + 4, line * step);
    }
  }

  private static double step(double most) {
    double power = Math.pow(10, Math.floor(Math.log10(most)));
    for (double step : new double[] {power, power / 2, power / 5}) {
      if (most / step >= LINES) {
        return Math.max(1, step);
      }
    }
    return Math.max(1, power / 10);
  }

  private static void curve(StringBuilder svg, List<Double> values, int seconds, double most,
      String colour) {
    svg.append("<polyline points=\"");
    for (int i = 0; i < values.size(); i++) {
      // What was read in a second stands at its middle.
      add(svg, "%.1f,%.1f ", x(i + 0.5, seconds), y(values.get(i), most));
    }
    add(svg, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>%n", colour);
  }

  private static double x(double second, int seconds) {
    return LEFT + WIDTH * second / seconds;
  }

  private static double y(double value, double most) {
    return TOP + HEIGHT * (1 - value / most);
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }
}

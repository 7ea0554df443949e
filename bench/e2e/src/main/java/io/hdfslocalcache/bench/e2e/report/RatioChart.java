/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.List;
import java.util.Locale;

/** A picture of ratios around 1, a line for each: a dot for the median, a bar for its interval. */
final class RatioChart {

  private static final int LEFT = 260;
  private static final int WIDTH = 560;
  private static final int LINE = 16;
  private static final int TOP = 60;
  /** Farther away, the bar ends at the edge. */
  private static final double LEAST = 0.4;
  private static final double MOST = 1.6;
  private static final double STEP = 0.1;

  /** What one line shows. */
  record Line(String path, String variant, Interval ratio) {
  }

  private RatioChart() {
  }

  static String svg(String title, List<Line> lines) {
    int height = TOP + LINE * lines.size() + 20;
    StringBuilder svg = new StringBuilder();
    add(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        + "font-family=\"sans-serif\" font-size=\"11\">%n", LEFT + WIDTH + 60, height);
    add(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n"
        + "<text x=\"10\" y=\"22\" font-size=\"15\">%s</text>%n", title);
    grid(svg, height);
    String path = "";
    for (int i = 0; i < lines.size(); i++) {
      line(svg, lines.get(i), TOP + LINE * i, !lines.get(i).path().equals(path));
      path = lines.get(i).path();
    }
    return svg.append("</svg>\n").toString();
  }

  private static void grid(StringBuilder svg, int height) {
    for (double ratio = LEAST; ratio < MOST + STEP / 2; ratio += STEP) {
      boolean isOne = Math.abs(ratio - 1) < STEP / 2;
      add(svg, "<path d=\"M%d %dV%d\" stroke=\"%s\"/>"
          + "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%.1f</text>%n", x(ratio), TOP - 10,
          height - 15, isOne ? "#444" : "#ddd", x(ratio), TOP - 14, ratio);
    }
  }

  private static void line(StringBuilder svg, Line line, int top, boolean isFirst) {
    int y = top + LINE / 2;
    if (isFirst) {
      add(svg, "<path d=\"M5 %dH%d\" stroke=\"#bbb\"/><text x=\"10\" y=\"%d\">%s</text>%n",
          top, LEFT + WIDTH, y + 4, line.path());
    }
    String colour = line.variant().equals(Comparison.STOCK_AGAIN) ? "#888" : "#1464b4";
    add(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"%s\">%s</text>", LEFT - 10, y + 4,
        colour, line.variant());
    Interval ratio = line.ratio();
    if (ratio.isKnown()) {
      add(svg, "<path d=\"M%d %dH%d\" stroke=\"%s\" stroke-width=\"3\" stroke-opacity=\".5\"/>",
          x(ratio.low()), y, x(ratio.high()), colour);
    }
    add(svg, "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/>"
        + "<text x=\"%d\" y=\"%d\">%.2f</text>%n", x(ratio.median()), y, colour, LEFT + WIDTH + 15,
        y + 4, ratio.median());
  }

  private static long x(double ratio) {
    double shown = Math.max(LEAST, Math.min(MOST, ratio));
    return LEFT + Math.round((shown - LEAST) / (MOST - LEAST) * WIDTH);
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }
}

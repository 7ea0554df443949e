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
    Svg svg = new Svg(title, LEFT + WIDTH + 60, height);
    for (double ratio = LEAST; ratio < MOST + STEP / 2; ratio += STEP) {
      boolean isOne = Math.abs(ratio - 1) < STEP / 2;
      svg.line(x(ratio), TOP - 10, "V" + (height - 15), isOne ? "#444" : "#ddd")
          .text(x(ratio), TOP - 14, "middle", "black", String.format(Locale.ROOT, "%.1f", ratio));
    }
    String path = "";
    for (int i = 0; i < lines.size(); i++) {
      int top = TOP + LINE * i;
      if (!lines.get(i).path().equals(path)) {
        path = lines.get(i).path();
        svg.line(5, top, "H" + (LEFT + WIDTH), "#bbb")
            .text(10, top + LINE / 2 + 4, "start", "black", path);
      }
      line(svg, lines.get(i), top + LINE / 2);
    }
    return svg.toString();
  }

  private static void line(Svg svg, Line line, int y) {
    String colour = line.variant().equals(Comparison.STOCK_AGAIN) ? "#888" : "#1464b4";
    Interval ratio = line.ratio();
    svg.text(LEFT - 10, y + 4, "end", colour, line.variant());
    if (ratio.isKnown()) {
      svg.add("<path d=\"M%d %dH%d\" stroke=\"%s\" stroke-width=\"3\" stroke-opacity=\".5\"/>",
          x(ratio.low()), y, x(ratio.high()), colour);
    }
    svg.add("<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/>", x(ratio.median()), y, colour)
        .text(LEFT + WIDTH + 15, y + 4, "start", "black",
            String.format(Locale.ROOT, "%.2f", ratio.median()));
  }

  private static long x(double ratio) {
    double shown = Math.max(LEAST, Math.min(MOST, ratio));
    return LEFT + Math.round((shown - LEAST) / (MOST - LEAST) * WIDTH);
  }
}

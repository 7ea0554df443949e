/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A chart of lines and points as SVG to stand in HTML. Written here because the libraries there are
 * draw by AWT: they need fonts on the machine, which servers do not have, and turn text into
 * outlines.
 */
public final class Chart {

  private static final int WIDTH = 640;
  private static final int HEIGHT = 340;
  private static final int LEFT = 56;
  private static final int RIGHT = 16;
  private static final int TOP = 34;
  private static final int BOTTOM = 48;
  private static final int LEGEND_STEP = 22;
  private static final int LETTER = 7;

  private final Axis x;
  private final Axis y;
  private final List<Series> all = new ArrayList<>();
  private final StringBuilder svg = new StringBuilder();
  private double limit = Double.NaN;
  private String limitText;

  /** Makes a chart without series. */
  public Chart(Axis x, Axis y) {
    this.x = x;
    this.y = y;
  }

  /** How a series is drawn; the names are classes of the style sheet. */
  public enum Look {
    /** What it is about. */
    MAIN,
    /** What it is compared with. */
    LOW,
    /** What nothing can exceed. */
    HIGH,
    /** Points without a line. */
    POINTS,
    /** One point that stands out. */
    CHOSEN
  }

  /**
   * A point.
   *
   * @param hint what is shown when it is pointed at; null: the point is not marked
   */
  public record Point(double x, double y, String hint) {
  }

  private record Series(String name, Look look, List<Point> points) {
  }

  /** Adds a series. */
  public Chart add(String name, Look look, List<Point> points) {
    all.add(new Series(name, look, points));
    return this;
  }

  /** Adds an upright line. */
  public Chart limit(double value, String text) {
    limit = value;
    limitText = text;
    return this;
  }

  /** @return the chart. @param label what it shows, for those who cannot see it */
  public String svg(String label) {
    svg.setLength(0);
    append("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n", WIDTH, HEIGHT,
        Html.escape(label));
    axes();
    if (!Double.isNaN(limit) && x.place(limit) <= 1) {
      append("<line class=\"limit\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
          + "<text class=\"small\" x=\"%.1f\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
          left(limit), left(limit), TOP, HEIGHT - BOTTOM, left(limit) - 5, TOP + 12,
          Html.escape(limitText));
    }
    all.forEach(this::series);
    legend();
    return svg.append("</svg>\n").toString();
  }

  private void append(String format, Object... args) {
    svg.append(String.format(Locale.ROOT, format, args));
  }

  private double left(double value) {
    return LEFT + Math.max(0, Math.min(1, x.place(value))) * (WIDTH - LEFT - RIGHT);
  }

  private double top(double value) {
    return HEIGHT - BOTTOM - Math.max(0, Math.min(1, y.place(value))) * (HEIGHT - TOP - BOTTOM);
  }

  private void axes() {
    for (double mark : y.marks()) {
      append("<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
          + "<text class=\"small\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
          LEFT, WIDTH - RIGHT, top(mark), top(mark), LEFT - 8, top(mark) + 4, Axis.text(mark));
    }
    for (double mark : x.marks()) {
      append("<line class=\"tick\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
          + "<text class=\"small\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
          left(mark), left(mark), HEIGHT - BOTTOM, HEIGHT - BOTTOM + 5, left(mark),
          HEIGHT - BOTTOM + 19, Axis.text(mark));
    }
    append("<line class=\"tick\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>%n", LEFT,
        WIDTH - RIGHT, HEIGHT - BOTTOM, HEIGHT - BOTTOM);
    append("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n", WIDTH - RIGHT, HEIGHT - 8,
        Html.escape(x.title()));
    append("<text x=\"4\" y=\"14\">%s</text>%n", Html.escape(y.title()));
  }

  private static String css(Look look) {
    return look.name().toLowerCase(Locale.ROOT);
  }

  private void series(Series series) {
    if (series.look != Look.POINTS && series.look != Look.CHOSEN) {
      append("<polyline class=\"%s\" points=\"", css(series.look));
      series.points.forEach(p -> append("%.1f,%.1f ", left(p.x), top(p.y)));
      svg.append("\"/>\n");
    }
    for (Point p : series.points) {
      if (p.hint != null) {
        append("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"><title>%s</title></circle>%n",
            css(series.look), left(p.x), top(p.y), series.look == Look.CHOSEN ? 6 : 3,
            Html.escape(p.hint));
      }
    }
  }

  private void legend() {
    double at = WIDTH - RIGHT;
    for (int i = all.size() - 1; i >= 0; i--) {
      Series series = all.get(i);
      if (series.name.isEmpty()) {
        continue;
      }
      at -= series.name.length() * LETTER + LEGEND_STEP;
      append("<circle class=\"%s\" cx=\"%.1f\" cy=\"10\" r=\"4\"/>"
          + "<text class=\"small\" x=\"%.1f\" y=\"14\">%s</text>%n", css(series.look), at + 6,
          at + 14, Html.escape(series.name));
    }
  }

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
        return String.format(Locale.ROOT, "%,d", (long) value);
      }
      String text = String.format(Locale.ROOT, "%.3f", value);
      return text.indexOf('.') < 0 ? text : text.replaceAll("\\.?0+$", "");
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.hdfslocalcache.replay.benchmark.Phase;
import io.hdfslocalcache.replay.chart.Axis;
import io.hdfslocalcache.replay.chart.Chart;
import io.hdfslocalcache.replay.chart.Chart.Look;
import io.hdfslocalcache.replay.chart.Chart.Point;
import io.hdfslocalcache.replay.chart.Html;
import io.hdfslocalcache.replay.text.Text;

/** The results as a single file of HTML with two charts. It loads nothing. */
final class Page {

  /** A line has at most so many points. */
  private static final int POINTS = 150;
  private static final Look[] LOOKS = {Look.LOW, Look.MAIN};

  private final List<Phase> phases;
  private final List<List<Step>> steps = new ArrayList<>();

  Page(List<Phase> phases) {
    this.phases = phases;
    int longest = phases.stream().mapToInt(p -> p.timeline().steps()).max().orElse(0);
    int seconds = Math.max(1, (longest + POINTS - 1) / POINTS);
    phases.forEach(phase -> steps.add(Step.of(phase, seconds)));
  }

  String html(String name, Map<String, Object> settings) throws IOException {
    StringBuilder html = new StringBuilder(Html.head("Benchmark " + name));
    html.append(Text.format("<h1>Benchmark %s: local cache %s</h1>%n", name,
        String.join(" and ", phases.stream().map(Phase::name).toList())));
    html.append("<div class=\"charts\">\n");
    figure(html, "Where the bytes came from", bytes());
    figure(html, "Readers that waited for a read", waiting());
    html.append("</div>\n<h2>Figures</h2>\n<table>\n<tr><th></th>");
    phases.forEach(p -> html.append("<th>").append(Html.escape(p.name())).append("</th>"));
    html.append("</tr>\n");
    for (Figure figure : Figure.ALL) {
      html.append("<tr><td>").append(Html.escape(figure.title())).append("</td>");
      phases.forEach(p -> html.append("<td>").append(figure.text(p)).append("</td>"));
      html.append("</tr>\n");
    }
    html.append("</table>\n<h2>Settings</h2>\n<table>\n");
    settings.forEach((key, value) -> html.append("<tr><td>").append(Html.escape(key))
        .append("</td><td>").append(Html.escape(String.valueOf(value))).append("</td></tr>\n"));
    return html.append("</table>\n").append(Html.foot()).toString();
  }

  private static void figure(StringBuilder html, String title, String svg) {
    html.append("<figure><h2>").append(title).append("</h2>\n").append(svg)
        .append("</figure>\n");
  }

  private Axis time() {
    double end = steps.stream().filter(s -> !s.isEmpty())
        .mapToDouble(s -> s.get(s.size() - 1).second()).max().orElse(1);
    return Axis.upTo("seconds since the readers began", end);
  }

  private static List<Point> line(List<Step> steps, ToDoubleFunction<Step> value) {
    List<Point> points = new ArrayList<>();
    steps.forEach(step -> points.add(new Point(step.second(), value.applyAsDouble(step), null)));
    return points;
  }

  private double most(ToDoubleFunction<Step> value) {
    return steps.stream().flatMap(List::stream).mapToDouble(value).max().orElse(1);
  }

  /** Of the last phase: with the local cache, if it was compared. */
  private String bytes() {
    List<Step> last = steps.get(steps.size() - 1);
    double most = Math.max(most(Step::fromLocalCache), most(Step::fromReplicas));
    return new Chart(time(), Axis.upTo("MB/s, local cache "
            + phases.get(phases.size() - 1).name(), 1.05 * most))
        .add("from the local cache", Look.MAIN, line(last, Step::fromLocalCache))
        .add("from replicas", Look.LOW, line(last, Step::fromReplicas))
        .svg("Bytes from the local cache and from replicas, over time");
  }

  private String waiting() {
    Chart chart = new Chart(time(), Axis.upTo("readers", 1.05 * most(Step::waiting)));
    for (int i = 0; i < phases.size(); i++) {
      chart.add("local cache " + phases.get(i).name(),
          LOOKS[phases.size() - 1 == i ? 1 : 0], line(steps.get(i), Step::waiting));
    }
    return chart.svg("Readers that waited for a read, over time");
  }
}

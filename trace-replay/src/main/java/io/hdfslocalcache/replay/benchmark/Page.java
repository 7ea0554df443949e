/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.hdfslocalcache.replay.benchmark.Phase.Step;
import io.hdfslocalcache.harness.Chart;
import io.hdfslocalcache.harness.Chart.Axis;
import io.hdfslocalcache.harness.Chart.Look;
import io.hdfslocalcache.harness.Chart.Point;
import io.hdfslocalcache.harness.Html;
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

  /** @param text the report as text, which stands below the charts */
  String html(String name, String text) throws IOException {
    StringBuilder html = new StringBuilder(Html.head("Benchmark " + name));
    html.append(Text.format("<h1>Benchmark %s: local cache %s</h1>%n", name,
        String.join(" and ", phases.stream().map(Phase::name).toList())));
    html.append("<div class=\"charts\">\n");
    figure(html, "Where the bytes came from", bytes());
    figure(html, "Readers that waited for a read", waiting());
    html.append("</div>\n<h2>Figures</h2>\n<pre>").append(Html.escape(text));
    return html.append("</pre>\n").append(Html.foot()).toString();
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

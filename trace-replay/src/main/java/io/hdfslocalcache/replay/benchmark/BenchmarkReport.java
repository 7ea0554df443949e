/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.harness.Chart;
import io.hdfslocalcache.harness.Chart.Axis;
import io.hdfslocalcache.harness.Chart.Look;
import io.hdfslocalcache.harness.Chart.Point;
import io.hdfslocalcache.harness.Html;
import io.hdfslocalcache.replay.benchmark.Comparison.Minutes;
import io.hdfslocalcache.replay.benchmark.Comparison.Saving;
import io.hdfslocalcache.replay.benchmark.Phase.Step;
import io.hdfslocalcache.replay.cluster.Results;
import io.hdfslocalcache.replay.text.Text;

/**
 * Writes the results of a benchmark: {@code report.txt}, {@code .json} and {@code .html}.
 *
 * @param name the benchmark's, as on the command line
 * @param settings what was done and where
 * @param prepared what was measured while data was written
 * @param phases what was measured while it was read
 */
record BenchmarkReport(String name, Map<String, Object> settings, Map<String, Tally> prepared,
    List<Phase> phases) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Writes the files, and prints the text. */
  void write(Results results) throws IOException {
    String text = new TextReport(phases).text(name, settings, prepared);
    results.write("report.txt", text);
    results.write("report.json",
        JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json()) + "\n");
    results.write("report.html", new Page(phases).html(name, text));
    System.out.print(text);
  }

  private ObjectNode json() {
    ObjectNode root = JSON.createObjectNode().put("benchmark", name);
    root.set("settings", JSON.valueToTree(settings));
    ObjectNode written = root.putObject("prepared");
    prepared.forEach((key, tally) -> tally(written.putObject(key), tally));
    ArrayNode all = root.putArray("phases");
    for (Phase phase : phases) {
      phase(all.addObject(), phase);
    }
    if (phases.size() == 2) {
      ObjectNode ratios = root.putObject("ratios");
      for (Figure figure : Figure.ALL) {
        put(ratios, figure.key(), figure.of(phases.get(1)) / figure.of(phases.get(0)));
      }
      Saving.of(phases).ifPresent(saving -> {
        put(root, "waited_less_percent", saving.blockedPercent());
        put(root, "offload_percent", saving.offloadPercent());
      });
      Minutes.of(phases).ifPresent(minutes -> {
        put(root, "waited_ratio_with_warm_up", minutes.ratio());
        root.set("minutes_waited_longer", JSON.valueToTree(minutes.longer()));
      });
    }
    return root;
  }

  private static void phase(ObjectNode node, Phase phase) {
    node.put("local_cache", phase.name());
    for (Figure figure : Figure.ALL) {
      put(node, figure.key(), figure.of(phase));
    }
    ObjectNode tallies = node.putObject("tallies");
    phase.tallies().forEach((key, tally) -> tally(tallies.putObject(key), tally));
    node.set("seconds_of_run", JSON.valueToTree(Step.of(phase, 1)));
    node.put("warm_up_seconds", phase.warmUpMillis() / 1000.0);
    node.put("silent_datanodes", phase.traffic().silentDataNodes());
  }

  private static void tally(ObjectNode node, Tally tally) {
    node.put("operations", tally.operations()).put("bytes", tally.bytes())
        .put("milliseconds", tally.spanMillis());
    put(node, "throughput_mb_per_s", Figure.throughput(tally));
  }

  private static void put(ObjectNode node, String key, double value) {
    if (Double.isFinite(value)) {
      node.put(key, value);
    } else {
      node.putNull(key);
    }
  }

  /** The results as a single file of HTML with two charts. It loads nothing. */
  static final class Page {

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
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.harness.Report.Axis;
import io.hdfslocalcache.harness.Report.Chart;
import io.hdfslocalcache.harness.Report.Look;
import io.hdfslocalcache.harness.Report.Point;
import io.hdfslocalcache.harness.Report.Series;
import io.hdfslocalcache.harness.Table;
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
 * @param phases what was measured
 */
record BenchmarkReport(String name, Map<String, Object> settings, List<Phase> phases) {

  private static final ObjectMapper JSON = new ObjectMapper();
  /** Runs shorter than this are shown in smaller steps than minutes. */
  private static final int SHORT_SECONDS = 180;
  private static final int MINUTE = 60;
  private static final int SHORT_STEP = 10;
  /** A line has at most so many points. */
  private static final int POINTS = 150;
  private static final String SECONDS = "seconds since the readers began";

  /** Writes the files, and prints the text. */
  void write(Results results) throws IOException {
    Report report = report();
    results.write("report.txt", report.text());
    results.write("report.json", Report.json(json()));
    results.write("report.html", report.html());
    System.out.print(report.text());
  }

  private ObjectNode json() {
    ObjectNode root = JSON.createObjectNode().put("benchmark", name);
    root.set("settings", JSON.valueToTree(settings));
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
    node.set("seconds_of_run", JSON.valueToTree(Step.of(phase, 1)));
    node.put("warm_up_seconds", phase.warmUpMillis() / 1000.0);
    node.put("warm_up_reads", phase.warmUp().operations());
    node.put("silent_datanodes", phase.counted().silent());
  }

  private static void put(ObjectNode node, String key, double value) {
    if (Double.isFinite(value)) {
      node.put(key, value);
    } else {
      node.putNull(key);
    }
  }

  /** @return the results for people. */
  Report report() {
    Report report = new Report("Benchmark " + name + ": local cache "
        + String.join(" and ", phases.stream().map(Phase::name).toList()));
    Saving.of(phases).ifPresent(saving -> report.lead(saving.text()));
    Table done = new Table("setting", "value");
    settings.forEach((key, value) -> done.row(key, value));
    report.table(done).table(figures());
    Minutes.of(phases).ifPresent(minutes -> report.text(minutes.text(phases)));
    for (Phase phase : phases) {
      if (phase.warmUpMillis() > 0) {
        report.text(Text.format("%s: the warm-up of %.1f s is in none of these figures (%,d reads, "
            + "%.1f s waited)", phase.name(), phase.warmUpMillis() / 1000.0,
            phase.warmUp().operations(), phase.warmUp().waitedSeconds()));
      }
      if (phase.counted().silent() > 0) {
        report.text(phase.name() + ": " + Text.count(phase.counted().silent(), "DataNode")
            + " did not tell what came from a local cache");
      }
    }
    chart(report);
    phases.forEach(phase -> overTime(report, phase));
    return report;
  }

  private Table figures() {
    boolean two = phases.size() == 2;
    List<String> columns = new ArrayList<>(List.of("local cache"));
    phases.forEach(phase -> columns.add(">" + phase.name()));
    if (two) {
      columns.add(">ratio");
    }
    Table table = new Table(columns);
    for (Figure figure : Figure.ALL) {
      List<String> cells = new ArrayList<>(List.of(figure.title()));
      phases.forEach(phase -> cells.add(figure.text(phase)));
      if (two) {
        cells.add(figure.ratio(phases.get(0), phases.get(1)));
      }
      table.row(cells);
    }
    return table;
  }

  private static void overTime(Report report, Phase phase) {
    report.heading("Over time, local cache " + phase.name());
    Table table = new Table(">second", ">reads/s", ">MB/s", ">waiting");
    int seconds = phase.timeline().steps() < SHORT_SECONDS ? SHORT_STEP : MINUTE;
    for (Step step : Step.of(phase, seconds)) {
      table.row(Text.format("%.0f", step.second()), Text.format("%.1f", step.reads()),
          Text.format("%.1f", step.megabytes()), Text.format("%.2f", step.waiting()));
    }
    report.table(table);
  }

  private void chart(Report report) {
    int longest = phases.stream().mapToInt(p -> p.timeline().steps()).max().orElse(0);
    int seconds = Math.max(1, (longest + POINTS - 1) / POINTS);
    // With the local cache, if it was compared.
    Phase last = phases.get(phases.size() - 1);
    report.chart(new Chart("Readers that waited for a read", null, Axis.of(SECONDS),
        Axis.of("readers"), phases.stream().map(phase -> new Series("local cache " + phase.name(),
            phase == last ? Look.MAIN : Look.LOW, Step.of(phase, seconds).stream()
                .map(step -> new Point(step.second(), step.waiting(), null)).toList())).toList()));
  }
}

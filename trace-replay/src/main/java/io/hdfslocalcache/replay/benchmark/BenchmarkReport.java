/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.harness.Report.Axis;
import io.hdfslocalcache.harness.Report.Chart;
import io.hdfslocalcache.harness.Report.Look;
import io.hdfslocalcache.harness.Report.Point;
import io.hdfslocalcache.harness.Report.Series;
import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.ClusterCounters.Counted;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import io.hdfslocalcache.replay.text.Text;

/**
 * The results of the benchmark.
 *
 * @param settings settings and environment
 * @param phases one phase, or two phases to compare
 */
record BenchmarkReport(Map<String, Object> settings, List<Phase> phases) {

  /** Most points of a line. */
  private static final int POINTS = 150;
  private static final int MINUTE = 60;

  /**
   * A benchmark's readers with the local cache in one state.
   *
   * @param name the state
   * @param tally what the readers measured
   * @param counted the DataNodes' counters
   */
  record Phase(String name, Tally tally, Counted counted) {

    private static final double MB = 1 << 20;
    private static final double MILLIS = 1000;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    /** @return figures by name, in the order of the table; null: not measured. */
    Map<String, Double> figures() {
      double seconds = tally.spanMillis() / MILLIS;
      double reads = tally.operations();
      // A histogram without reads says 0.
      double measured = reads == 0 ? Double.NaN : MILLIS;
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("reads", reads);
      figures.put("MB", tally.bytes() / MB);
      figures.put("seconds from first to last", seconds);
      figures.put("MB/s", tally.bytes() / MB / seconds);
      figures.put("reads/s", reads / seconds);
      figures.put("mean ms", tally.micros().getMean() / measured);
      for (double percentile : PERCENTILES) {
        figures.put("p" + Text.number(percentile) + " ms",
            tally.micros().getValueAtPercentile(percentile) / measured);
      }
      figures.put("max ms", tally.micros().getMaxValue() / measured);
      figures.put("waited s, all readers", tally.waitedSeconds());
      figures.put("readers waiting, mean", tally.waitedSeconds() / seconds);
      figures.put("late", (double) tally.late());
      figures.put("latest ms", (double) tally.behindMillis());
      figures.put("failed", (double) tally.failed());
      figures.put("offload %", percent(Counters::offload));
      figures.put("reuse rate %", percent(Counters::reuseRate));
      figures.replaceAll((key, value) -> Double.isFinite(value) ? value : null);
      return figures;
    }

    private double percent(Function<Counters, OptionalDouble> share) {
      return 100 * counted.counters().map(share).orElse(OptionalDouble.empty()).orElse(Double.NaN);
    }

    private Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>(figures());
      json.put("local cache", name);
      json.put("DataNodes without counters", counted.silent());
      json.put("waited s, each second", tally.waits(1));
      return json;
    }
  }

  /** @return the results for programs. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("benchmark", "replay");
    json.put("settings", settings);
    json.put("phases", phases.stream().map(Phase::json).toList());
    if (phases.size() == 2) {
      json.put("ratios", ratios());
    }
    return json;
  }

  /** @return each figure of the second phase as a multiple of the first; null if not defined. */
  private Map<String, Double> ratios() {
    Map<String, Double> ratios = phases.get(1).figures();
    Map<String, Double> first = phases.get(0).figures();
    ratios.replaceAll((key, value) -> value == null || first.get(key) == null
        || first.get(key) == 0 ? null : (Double) (value / first.get(key)));
    return ratios;
  }

  /** @return the results for people. */
  Report report() {
    Report report = new Report("Benchmark replay: local cache "
        + String.join(" and ", phases.stream().map(Phase::name).toList()));
    if (phases.size() == 2) {
      report.lead(waits(phases.get(0), phases.get(1)));
    }
    Table done = new Table("setting", "value");
    settings.forEach((key, value) -> done.row(key, value));
    report.table(done).table(figures());
    for (Phase phase : phases) {
      if (phase.counted().silent() > 0) {
        report.text(phase.name() + ": " + Text.count(phase.counted().silent(), "DataNode")
            + " reported no counters of a local cache");
      }
    }
    return report.chart(chart());
  }

  /** @return how long readers waited in both phases; parsed by bench/replay-hdd. */
  private static String waits(Phase off, Phase on) {
    double[] before = off.tally().waits(MINUTE);
    double[] after = on.tally().waits(MINUTE);
    int minutes = Math.max(before.length, after.length);
    List<String> longer = new ArrayList<>();
    for (int i = 0; i < after.length; i++) {
      // A finished phase has no more waits.
      if (after[i] > (i < before.length ? before[i] : 0)) {
        longer.add(String.valueOf(i + 1));
      }
    }
    double ratio = on.tally().waitedSeconds() / off.tally().waitedSeconds();
    return Text.format("readers waited %.1f s %s, %.1f s %s, ratio %s; longer in %s of %s; %s of "
        + "the bytes came from the local cache", off.tally().waitedSeconds(), off.name(),
        on.tally().waitedSeconds(), on.name(),
        // If all its reads failed, nothing waited; that is no saving.
        Double.isFinite(ratio) && on.tally().operations() > 0 ? Text.format("%.3f", ratio) : "-",
        longer.isEmpty() ? "none" : "minute " + String.join(", ", longer),
        Text.count(minutes, "minute"), text(on.figures().get("offload %")) + " %");
  }

  private static String text(Double figure) {
    return figure == null ? "-" : Text.number(figure);
  }

  private Table figures() {
    List<Map<String, Double>> columns = new ArrayList<>(phases.stream().map(Phase::figures).toList());
    List<String> titles = new ArrayList<>(List.of("local cache"));
    phases.forEach(phase -> titles.add(">" + phase.name()));
    if (phases.size() == 2) {
      columns.add(ratios());
      titles.add(">ratio");
    }
    Table table = new Table(titles);
    for (String figure : columns.get(0).keySet()) {
      List<String> cells = new ArrayList<>(List.of(figure));
      columns.forEach(column -> cells.add(text(column.get(figure))));
      table.row(cells);
    }
    return table;
  }

  private Chart chart() {
    int longest = phases.stream().mapToInt(phase -> phase.tally().waits(1).length).max().orElse(0);
    int seconds = Math.max(1, (longest + POINTS - 1) / POINTS);
    // With the local cache, if it was compared.
    Phase last = phases.get(phases.size() - 1);
    return new Chart("Readers that waited for a read", null,
        Axis.of("seconds since the readers began"), Axis.of("readers"),
        phases.stream().map(phase -> new Series("local cache " + phase.name(),
            phase == last ? Look.MAIN : Look.LOW,
            points(phase.tally().waits(seconds), seconds))).toList());
  }

  private static List<Point> points(double[] waits, int seconds) {
    return IntStream.range(0, waits.length)
        .mapToObj(i -> new Point((i + 1) * seconds, waits[i] / seconds, null)).toList();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.report;

import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.replay.benchmark.Benchmark;
import io.hdfslocalcache.replay.benchmark.Phase;
import io.hdfslocalcache.replay.benchmark.Results;
import io.hdfslocalcache.replay.benchmark.measure.Tally;

/** Writes the results of a benchmark: {@code report.txt}, {@code .json} and {@code .html}. */
public final class BenchmarkReport {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private final Map<String, Tally> prepared;
  private final List<Phase> phases;

  /**
   * Takes over what was measured.
   *
   * @param where the cluster, and how its tasks run
   * @param prepared what was measured while data was written
   * @param phases what was measured while it was read
   */
  public BenchmarkReport(Benchmark benchmark, Map<String, Object> where,
      Map<String, Tally> prepared, List<Phase> phases) {
    this.name = benchmark.name();
    this.settings.putAll(where);
    this.settings.putAll(benchmark.settings());
    this.prepared = prepared;
    this.phases = phases;
  }

  /** Writes the files, and prints the text. */
  public void write(Results results, PrintStream out) throws IOException {
    String text = new TextReport(phases).text(name, settings, prepared);
    results.write("report.txt", text);
    results.write("report.json",
        JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json()) + "\n");
    results.write("report.html", new Page(phases).html(name, settings));
    out.print(text);
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
}

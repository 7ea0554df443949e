/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.replay.benchmark.Comparison.Minutes;
import io.hdfslocalcache.replay.benchmark.Comparison.Saving;
import io.hdfslocalcache.replay.benchmark.Phase.Step;

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
}

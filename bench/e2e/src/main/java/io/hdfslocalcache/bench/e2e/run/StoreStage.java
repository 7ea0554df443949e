/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.bench.e2e.BenchException;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Row;

/** The micro-benchmarks of index and page store, in JMH's own processes. */
final class StoreStage implements Stage {

  private final Setting setting;

  StoreStage(Setting setting) {
    this.setting = setting;
  }

  @Override
  public void run() throws IOException, InterruptedException {
    Path options = setting.build().home().resolveSibling("store/target/bench.options");
    Path temporary = Files.createDirectories(setting.options().directory().resolve("store"));
    for (int threads : new int[] {1, 2}) {
      String path = "store/" + threads + "-threads";
      if (setting.options().wants(path)) {
        setting.progress().begin(path);
        Path json = setting.directory().resolve("store-" + threads + ".json");
        run(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + options, "org.openjdk.jmh.Main", "-t", String.valueOf(threads),
            "-jvmArgsAppend", "-Djava.io.tmpdir=" + temporary, "-rf", "json",
            "-rff", json.toString()), setting.directory().resolve("store-" + threads + ".txt"));
        add(path, json);
        setting.progress().end();
      }
    }
  }

  private static void run(List<String> command, Path log)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(log.toFile()).start();
    try {
      if (process.waitFor() != 0) {
        throw new BenchException("JMH failed; its log is " + log);
      }
    } finally {
      process.destroy();
    }
  }

  private void add(String path, Path json) throws IOException {
    for (JsonNode benchmark : new ObjectMapper().readTree(json.toFile())) {
      String name = benchmark.path("benchmark").asText().replaceFirst(".*\\.(\\w+\\.\\w+)$", "$1");
      String size = benchmark.path("params").path("size").asText();
      setting.results().add(Row.of(path, (name + " " + size).trim(), 1)
          .set(Figure.NANOS_PER_OP, benchmark.path("primaryMetric").path("score").asDouble()));
    }
  }
}

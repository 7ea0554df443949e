/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Row;
import io.hdfslocalcache.bench.e2e.run.Setting.Stage;
import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.JavaCommand;

/** The micro-benchmarks of the parts, in JMH's own processes. */
final class MicroStage implements Stage {

  private static final double ESTIMATE = 150;
  private static final double HEAP_ESTIMATE = 30;
  private static final String PROCESS = "a micro-benchmark";
  private static final String HEAP = "micro/heap";
  private static final String HEAP_MAIN = "io.hdfslocalcache.bench.micro.HeapOfPages";
  private static final Pattern HEAP_ROW = Pattern.compile("\\| (\\d+) \\| (\\d+) \\|");

  private final Setting setting;

  MicroStage(Setting setting) {
    this.setting = setting;
  }

  @Override
  public String name() {
    return "micro";
  }

  @Override
  public double estimate() {
    return ESTIMATE * Options.PATHS.stream().filter(setting.options()::wants)
        .filter(path -> path.matches("micro/.*threads")).count()
        + (setting.options().wants(HEAP) ? HEAP_ESTIMATE : 0);
  }

  @Override
  public void run() throws IOException, InterruptedException {
    Path jar = jar(setting.build().home().resolveSibling("micro/target"));
    Path temporary = Files.createDirectories(setting.options().directory().resolve("micro"));
    boolean quick = setting.options().quick();
    for (int threads : new int[] {1, 2}) {
      String path = "micro/" + threads + "-threads";
      if (setting.options().wants(path)) {
        setting.progress().begin(path);
        Path json = setting.directory().resolve("micro-" + threads + ".json");
        Daemon.run(PROCESS, List.of(JavaCommand.java(), "-jar", jar.toString(),
            "-t", String.valueOf(threads), "-prof", "gc",
            "-wi", quick ? "1" : "2", "-w", "600ms", "-i", quick ? "1" : "4", "-r", "500ms",
            "-jvmArgsAppend", "-Djava.io.tmpdir=" + temporary, "-rf", "json",
            "-rff", json.toString()), setting.directory().resolve("micro-" + threads + ".txt"));
        add(path, json);
        setting.progress().done(ESTIMATE);
      }
    }
    if (setting.options().wants(HEAP)) {
      heap(jar, temporary, quick ? 16_384 : 131_072);
    }
  }

  /** What the page index takes in memory: a program of its own that prints a Markdown table. */
  private void heap(Path jar, Path temporary, int pages) throws IOException, InterruptedException {
    setting.progress().begin(HEAP);
    Path log = setting.directory().resolve("micro-heap.txt");
    Daemon.run(PROCESS, List.of(JavaCommand.java(), "-Xmx2g", "-XX:+UseSerialGC",
        "-Djava.io.tmpdir=" + temporary, "-cp", jar.toString(), HEAP_MAIN, String.valueOf(pages)),
        log);
    for (String line : Files.readAllLines(log)) {
      Matcher row = HEAP_ROW.matcher(line);
      if (row.matches()) {
        setting.results().add(Row.of(HEAP, row.group(1) + " pages in a block", 1)
            .set(Figure.HEAP_BYTES_PER_PAGE, Double.parseDouble(row.group(2))));
      }
    }
    setting.progress().done(HEAP_ESTIMATE);
  }

  private static Path jar(Path target) throws IOException {
    try (Stream<Path> files = Files.list(target)) {
      return files.filter(f -> f.getFileName().toString().matches("bench-micro-.*\\.jar"))
          .findFirst().orElseThrow(() -> new IOException("no jar of bench-micro in " + target));
    }
  }

  private void add(String path, Path json) throws IOException {
    for (JsonNode benchmark : new ObjectMapper().readTree(json.toFile())) {
      String name = benchmark.path("benchmark").asText().replaceFirst(".*\\.(\\w+\\.\\w+)$", "$1");
      StringBuilder variant = new StringBuilder(name);
      benchmark.path("params").forEach(
          value -> variant.append(' ').append(value.asText().replaceFirst(".*\\.", "")));
      JsonNode more = benchmark.path("secondaryMetrics");
      Row row = Row.of(path, variant.toString(), 1)
          .set(Figure.NANOS_PER_OP, benchmark.path("primaryMetric").path("score").asDouble())
          .set(Figure.BYTES_PER_OP, bytes(more));
      double operations = more.path("operations").path("score").asDouble();
      if (operations > 0) {
        double cpu = more.path("cpuNanos").path("score").asDouble();
        row.set(Figure.CPU_NANOS_PER_OP, cpu / operations);
      }
      setting.results().add(row);
    }
  }

  /** What JMH's profiler of the heap says; older ones put a dot before the name. */
  private static double bytes(JsonNode metrics) {
    JsonNode node = metrics.has("gc.alloc.rate.norm") ? metrics.path("gc.alloc.rate.norm")
        : metrics.path("·gc.alloc.rate.norm");
    return node.path("score").asDouble();
  }
}

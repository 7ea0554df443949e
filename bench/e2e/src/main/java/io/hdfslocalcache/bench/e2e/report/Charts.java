/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Charts: each figure against that of the stock DataNode, with the interval of the rounds. */
final class Charts {

  private Charts() {
  }

  static void write(Results results, Path directory) throws IOException {
    write(results, Figure.MB_PER_SECOND, "Throughput / stock (more is better)",
        directory.resolve("throughput.svg"));
    write(results, Figure.CPU_MICROS_PER_READ, "CPU of the DataNode per read / stock (less is better)",
        directory.resolve("cpu.svg"));
    write(results, Figure.P50_MICROS, "Median latency / stock (less is better)",
        directory.resolve("p50.svg"));
    write(results, Figure.P99_MICROS, "99th percentile of latency / stock (less is better)",
        directory.resolve("p99.svg"));
    Map<String, List<Results.Timeline>> timelines = results.timelines().stream()
        .collect(Collectors.groupingBy(Results.Timeline::path));
    for (String path : timelines.keySet()) {
      Files.writeString(directory.resolve(path.replace('/', '-') + ".svg"),
          TimeChart.svg(path + ": reads a second, by seconds since the beginning",
              TimeChart.lines(timelines.get(path))));
    }
  }

  private static void write(Results results, Figure figure, String title, Path file)
      throws IOException {
    List<RatioChart.Line> lines = new ArrayList<>();
    for (String path : results.paths()) {
      Series stock = results.series(path, Comparison.STOCK, figure);
      // On the HDD it is hundreds.
      if (path.matches("(hdd|saturated|profile)/.*") || stock.size() == 0) {
        continue;
      }
      for (String variant : results.variants(path)) {
        Interval ratio =
            results.series(path, variant, figure).with(stock, (a, b) -> a / b).interval();
        if (!variant.equals(Comparison.STOCK) && !Double.isNaN(ratio.median())) {
          lines.add(new RatioChart.Line(path, variant, ratio));
        }
      }
    }
    if (!lines.isEmpty()) {
      Files.writeString(file, RatioChart.svg(title, lines));
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.hdfslocalcache.bench.e2e.report.Results.Timeline;
import io.hdfslocalcache.harness.Report.Axis;
import io.hdfslocalcache.harness.Report.Chart;
import io.hdfslocalcache.harness.Report.Look;
import io.hdfslocalcache.harness.Report.Point;
import io.hdfslocalcache.harness.Report.Series;

/** A page with what was read over time, a line for each DataNode. */
final class TimeChart {

  private TimeChart() {
  }

  /** Writes a page for each path of which there are timelines. */
  static void write(List<Timeline> timelines, Path directory) throws IOException {
    Map<String, List<Timeline>> byPath = timelines.stream().collect(
        Collectors.groupingBy(Timeline::path, TreeMap::new, Collectors.toList()));
    for (Map.Entry<String, List<Timeline>> path : byPath.entrySet()) {
      String title = path.getKey() + ": reads a second, by seconds since the beginning";
      Files.writeString(directory.resolve(path.getKey().replace('/', '-') + ".html"),
          new io.hdfslocalcache.harness.Report(title).chart(chart(title, lines(path.getValue()))).html());
    }
  }

  /** @return for each DataNode the reads of each second, the mean of its rounds. */
  static Map<String, List<Double>> lines(List<Timeline> timelines) {
    Map<String, List<Timeline>> byVariant = timelines.stream().collect(
        Collectors.groupingBy(Timeline::variant, LinkedHashMap::new, Collectors.toList()));
    Map<String, List<Double>> lines = new LinkedHashMap<>();
    byVariant.forEach((variant, rounds) -> lines.put(variant, mean(rounds)));
    return lines;
  }

  private static List<Double> mean(List<Timeline> rounds) {
    int seconds = rounds.stream().mapToInt(round -> round.reads().size()).min().orElse(0);
    List<Double> mean = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      int second = i;
      mean.add(rounds.stream().mapToLong(round -> round.reads().get(second)).average().orElse(0));
    }
    return mean;
  }

  private static Chart chart(String title, Map<String, List<Double>> lines) {
    List<Series> series = new ArrayList<>();
    lines.forEach((variant, reads) -> series.add(new Series(variant,
        variant.startsWith(Comparison.STOCK) ? Look.LOW : Look.MAIN,
        // What was read in a second stands at its middle.
        IntStream.range(0, reads.size()).mapToObj(i -> new Point(i + 0.5, reads.get(i), null))
            .toList())));
    return new Chart(title, null, Axis.of("seconds"), Axis.of("reads/s"), series);
  }
}

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

import io.hdfslocalcache.bench.e2e.report.Results.Timeline;
import io.hdfslocalcache.harness.Chart;
import io.hdfslocalcache.harness.Chart.Axis;
import io.hdfslocalcache.harness.Chart.Look;
import io.hdfslocalcache.harness.Chart.Point;
import io.hdfslocalcache.harness.Html;

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
          Html.head(title) + "<h1>" + title + "</h1>\n" + svg(title, lines(path.getValue()))
              + Html.foot());
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

  static String svg(String title, Map<String, List<Double>> lines) {
    Chart chart = new Chart(
        Axis.upTo("seconds", lines.values().stream().mapToInt(List::size).max().orElse(1)),
        Axis.upTo("reads/s", lines.values().stream().flatMap(List::stream)
            .mapToDouble(value -> value).max().orElse(1)));
    lines.forEach((variant, reads) -> {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < reads.size(); i++) {
        // What was read in a second stands at its middle.
        points.add(new Point(i + 0.5, reads.get(i), null));
      }
      chart.add(variant, variant.startsWith(Comparison.STOCK) ? Look.LOW : Look.MAIN, points);
    });
    return chart.svg(title);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Charts: each figure against that of the stock DataNode, with the spread of the rounds. */
final class Charts {

  private static final int WIDTH = 1000;
  private static final int HEIGHT = 420;

  private Charts() {
  }

  static void write(Results results, Path directory) throws IOException {
    write(results, Figure.MB_PER_SECOND, "Throughput against stock (more is better)",
        directory.resolve("throughput"));
    write(results, Figure.CPU_MICROS_PER_READ,
        "DataNode CPU per read against stock (less is better)", directory.resolve("cpu"));
    write(results, Figure.P50_MICROS, "Median latency against stock (less is better)",
        directory.resolve("p50"));
    write(results, Figure.P99_MICROS, "99th percentile of latency against stock (less is better)",
        directory.resolve("p99"));
  }

  private static void write(Results results, Figure figure, String title, Path file)
      throws IOException {
    List<String> paths = results.paths().stream().filter(path -> !path.startsWith("hdd/")
        && results.series(path, "stock", figure).size() > 0).toList();
    if (paths.isEmpty()) {
      return;
    }
    CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(title)
        .yAxisTitle("stock = 1").build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setXAxisLabelRotation(45);
    chart.getStyler().setAvailableSpaceFill(0.8);
    TreeSet<String> variants = new TreeSet<>();
    paths.forEach(path -> variants.addAll(results.variants(path)));
    variants.remove("stock");
    for (String variant : variants) {
      addSeries(chart, results, figure, paths, variant);
    }
    VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
  }

  private static void addSeries(CategoryChart chart, Results results, Figure figure,
      List<String> paths, String variant) {
    List<Double> medians = new ArrayList<>();
    List<Double> spreads = new ArrayList<>();
    for (String path : paths) {
      Series ratio = results.series(path, variant, figure)
          .with(results.series(path, "stock", figure), (a, b) -> a / b);
      boolean measured = ratio.size() > 0;
      medians.add(measured ? ratio.median() : 0);
      spreads.add(measured ? (ratio.max() - ratio.min()) / 2 : 0);
    }
    chart.addSeries(variant, paths, medians, spreads);
  }
}

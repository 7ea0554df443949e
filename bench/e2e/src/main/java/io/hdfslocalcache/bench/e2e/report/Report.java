/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfslocalcache.bench.e2e.report.Comparison.Goal;
import io.hdfslocalcache.harness.Table;

/** Writes what a run leaves behind: data, tables for people, charts. */
public final class Report {

  private static final List<Figure> SHOWN = List.of(Figure.MB_PER_SECOND, Figure.OPS_PER_SECOND,
      Figure.P50_MICROS, Figure.P99_MICROS, Figure.CPU_SECONDS_PER_GB, Figure.CPU_MICROS_PER_READ,
      Figure.CLIENT_CPU_SECONDS_PER_GB, Figure.COMPILER_SECONDS, Figure.HIT_SHARE,
      Figure.HDD_READS, Figure.SSD_READS, Figure.SSD_WRITES, Figure.BYTES_PER_WRITE,
      Figure.WRITE_AMPLIFICATION);

  private static final List<Figure> SHOWN_OF_SATURATED = List.of(Figure.READS,
      Figure.OPS_PER_SECOND, Figure.P50_MICROS, Figure.P99_MICROS, Figure.HIT_SHARE,
      Figure.HDD_READS, Figure.HDD_READ_BYTES, Figure.PAGES_FILLED, Figure.PAGE_BYTES_WRITTEN,
      Figure.SSD_WRITTEN_BYTES, Figure.HDD_READS_PER_PAGE, Figure.HDD_BYTES_PER_PAGE,
      Figure.HDD_READS_PER_MB_WRITTEN, Figure.CACHE_ERRORS);

  private static final String EXPLANATION = """
      A round's figures are those of all its slices together. "Compared" is the median of the rounds,
      each compared with the stock DataNode of the same round, and where that median lies with 95 %
      confidence. "Stock again" is the same figure of a second stock DataNode, measured like all
      others: how far it is from 1 (from 0, where differences are compared) is what this run
      cannot tell from no difference. "Not certain" are goals that lie inside the interval. What the
      lines mean is in docs/dev/benchmarks.md.
      """;

  private final Results results;
  private final StringBuilder text = new StringBuilder();

  private Report(Results results) {
    this.results = results;
  }

  /** Writes data, tables and charts into the directory. @return the tables. */
  public static String write(Results results, Environment environment, Path directory)
      throws IOException {
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(
        directory.resolve("measurements.json").toFile(),
        Map.of("name", environment.name(), "environment", environment.facts(),
            "notes", results.notes(), "measurements", results.rows(),
            "timelines", results.timelines()));
    String tables = new Report(results).tables(environment);
    Files.writeString(directory.resolve("README.md"), tables);
    TimeChart.write(results.timelines(), directory);
    return tables;
  }

  private String tables(Environment environment) {
    text.append("# End-to-end benchmark: ").append(environment.name()).append("\n\n");
    environment.facts().forEach((key, value) ->
        text.append("- ").append(key).append(": ").append(value).append('\n'));
    results.notes().forEach(note -> text.append("- **").append(note).append("**\n"));
    text.append('\n').append(EXPLANATION).append("\n## Goals\n\n");
    goals();
    manyReaders();
    text.append("\n## Everything that was measured\n\n");
    Predicate<String> isSaturated = path -> path.startsWith("saturated/");
    figures(SHOWN, isSaturated.negate());
    text.append('\n');
    figures(SHOWN_OF_SATURATED, isSaturated);
    return text.toString();
  }

  private void goals() {
    Table table = new Table("path", "DataNode", "figure", ">stock", ">measured",
        ">compared (95 % interval)", ">stock again", "goal", "reached");
    for (Comparison line : Comparison.all(results)) {
      Goal goal = line.goal();
      table.row(line.path(), line.variant(), goal.figure().title(),
          number(line.stock().median()), number(line.own().median()), line.compared(),
          line.floor(), goal + unit(goal), line.verdict());
    }
    text.append(table);
  }

  /** What the machine makes of many readers, with whichever DataNode. */
  private void manyReaders() {
    String path = "hit/pread-64k-64";
    Figure figure = Figure.AGAINST_8_READERS;
    Series stock = results.series(path, Comparison.STOCK, figure);
    if (stock.size() == 0) {
      return;
    }
    text.append("\n## 64 readers against 8\n\nReads a second of 64 KB. Readers and DataNode share "
        + "the processors: stock's own ratio is the machine's limit.\n\n");
    Table table = new Table("DataNode", ">reads/s, 64 readers / 8 readers", ">that / stock's");
    for (String variant : results.variants(path)) {
      Series own = results.series(path, variant, figure);
      table.row(variant, own.interval(), own.with(stock, (a, b) -> a / b).interval());
    }
    text.append(table);
  }

  private static String unit(Goal goal) {
    return switch (goal.against()) {
      case STOCK -> " x stock";
      case NOISE -> " x stock, or within the noise";
      case DIFFERENCE -> " more than stock";
      case NOTHING -> "";
    };
  }

  private void figures(List<Figure> shown, Predicate<String> which) {
    List<String> paths = results.paths().stream().filter(which).toList();
    if (paths.isEmpty()) {
      return;
    }
    List<String> columns = new ArrayList<>(List.of("path", "variant"));
    shown.forEach(figure -> columns.add(">" + figure.title()));
    Table table = new Table(columns);
    for (String path : paths) {
      for (String variant : results.variants(path)) {
        List<String> cells = new ArrayList<>(List.of(path, variant));
        shown.forEach(figure ->
            cells.add(number(results.series(path, variant, figure).median())));
        table.row(cells);
      }
    }
    text.append(table);
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    if (value == Math.rint(value) || Math.abs(value) >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%.0f"
        : Math.abs(value) >= 10 ? "%.1f" : "%.3f", value);
  }
}

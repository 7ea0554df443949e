/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The tables, for people. */
final class Markdown {

  private static final List<Figure> SHOWN = List.of(Figure.MB_PER_SECOND, Figure.OPS_PER_SECOND,
      Figure.P50_MICROS, Figure.P99_MICROS, Figure.CPU_SECONDS_PER_GB, Figure.CPU_MICROS_PER_READ,
      Figure.COMPILER_SECONDS, Figure.HIT_SHARE, Figure.HDD_READS, Figure.SSD_READS,
      Figure.SSD_WRITES, Figure.BYTES_PER_WRITE, Figure.WRITE_AMPLIFICATION);
  private static final List<Figure> SHOWN_OF_SATURATED = List.of(Figure.READS,
      Figure.OPS_PER_SECOND, Figure.P50_MICROS, Figure.P99_MICROS, Figure.HIT_SHARE,
      Figure.HDD_READS, Figure.HDD_READ_BYTES, Figure.PAGES_FILLED, Figure.PAGE_BYTES_WRITTEN,
      Figure.SSD_WRITTEN_BYTES, Figure.HDD_READS_PER_PAGE, Figure.HDD_BYTES_PER_PAGE,
      Figure.HDD_READS_PER_MB_WRITTEN, Figure.CACHE_ERRORS);
  private static final List<Figure> SHOWN_OF_MICRO = List.of(Figure.NANOS_PER_OP,
      Figure.CPU_NANOS_PER_OP, Figure.BYTES_PER_OP, Figure.HEAP_BYTES_PER_PAGE);

  private static final String EXPLANATION = """

      A round's figures are those of all its slices together. "Compared" is the median of the rounds,
      each compared with the stock DataNode of the same round, and where that median lies with 95 %
      confidence. "Stock again" is the same figure of a second stock DataNode, measured like all
      others: how far it is from 1 (from 0, where differences are compared) is what this run
      cannot tell from no difference. "Not certain" are goals that lie inside the interval. What the
      lines mean is in docs/benchmarks.md.
      """;

  private Markdown() {
  }

  static String of(Results results, Environment environment) {
    StringBuilder text = new StringBuilder("# End-to-end benchmark: ")
        .append(environment.name()).append("\n\n");
    environment.facts().forEach((key, value) ->
        text.append("- ").append(key).append(": ").append(value).append('\n'));
    results.notes().forEach(note -> text.append("- **").append(note).append("**\n"));
    text.append(EXPLANATION).append("\n## Goals\n\n");
    goals(text, Comparison.all(results));
    manyReaders(text, results);
    text.append("\n## Everything that was measured\n\n");
    everything(text, results);
    return text.toString();
  }

  private static void goals(StringBuilder text, List<Comparison> lines) {
    text.append("| path | DataNode | figure | stock | measured | compared (95 % interval) "
        + "| stock again | goal | reached |\n|---|---|---|---:|---:|---:|---:|---|---|\n");
    for (Comparison line : lines) {
      Goal goal = line.goal();
      text.append("| ").append(line.path()).append(" | ").append(line.variant())
          .append(" | ").append(goal.figure().title())
          .append(" | ").append(line.stock().size() == 0 ? "" : number(line.stock().median()))
          .append(" | ").append(number(line.own().median()))
          .append(" | ").append(line.compared())
          .append(" | ").append(line.floor())
          .append(" | ").append(goal).append(unit(goal))
          .append(" | ").append(line.verdict()).append(" |\n");
    }
  }

  /** What the machine makes of many readers, with whichever DataNode. */
  private static void manyReaders(StringBuilder text, Results results) {
    String path = "hit/pread-64k-64";
    Figure figure = Figure.AGAINST_8_READERS;
    if (results.series(path, Comparison.STOCK, figure).size() == 0) {
      return;
    }
    text.append("\n## 64 readers against 8\n\nReads a second of 64 KB. Readers and DataNode share "
        + "the processors: stock's own ratio is the machine's limit.\n\n"
        + "| DataNode | reads/s, 64 readers / 8 readers | that / stock's |\n|---|---:|---:|\n");
    Series stock = results.series(path, Comparison.STOCK, figure);
    for (String variant : results.variants(path)) {
      Series own = results.series(path, variant, figure);
      text.append("| ").append(variant).append(" | ").append(own.interval()).append(" | ")
          .append(own.with(stock, (a, b) -> a / b).interval()).append(" |\n");
    }
  }

  private static String unit(Goal goal) {
    return switch (goal.against()) {
      case STOCK -> " x stock";
      case NOISE -> " x stock, or within the noise";
      case DIFFERENCE -> " more than stock";
      case NOTHING -> "";
    };
  }

  private static void everything(StringBuilder text, Results results) {
    Predicate<String> isMicro = path -> path.startsWith("micro/");
    Predicate<String> isSaturated = path -> path.startsWith("saturated/");
    table(text, results, SHOWN, isMicro.or(isSaturated).negate());
    text.append('\n');
    table(text, results, SHOWN_OF_SATURATED, isSaturated);
    text.append('\n');
    table(text, results, SHOWN_OF_MICRO, isMicro);
  }

  private static void table(StringBuilder text, Results results, List<Figure> shown,
      Predicate<String> which) {
    List<String> paths = results.paths().stream().filter(which).toList();
    if (paths.isEmpty()) {
      return;
    }
    text.append("| path | variant | ").append(shown.stream().map(Figure::title)
        .collect(Collectors.joining(" | "))).append(" |\n|---|---|")
        .append("---:|".repeat(shown.size())).append('\n');
    for (String path : paths) {
      for (String variant : results.variants(path)) {
        text.append("| ").append(path).append(" | ").append(variant).append(" | ")
            .append(shown.stream().map(f -> number(results.series(path, variant, f).median()))
                .collect(Collectors.joining(" | "))).append(" |\n");
      }
    }
  }

  static String number(double value) {
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

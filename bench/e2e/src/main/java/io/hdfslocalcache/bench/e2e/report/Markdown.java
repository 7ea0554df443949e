/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The tables, for people. */
final class Markdown {

  private static final List<Figure> SHOWN = List.of(Figure.MB_PER_SECOND, Figure.OPS_PER_SECOND,
      Figure.P50_MICROS, Figure.P99_MICROS, Figure.CPU_SECONDS_PER_GB, Figure.CPU_MICROS_PER_READ,
      Figure.COMPILER_SECONDS, Figure.HIT_SHARE, Figure.HDD_READS, Figure.SSD_READS,
      Figure.NANOS_PER_OP, Figure.CPU_NANOS_PER_OP, Figure.BYTES_PER_OP);

  private Markdown() {
  }

  static String of(Results results, Environment environment) {
    StringBuilder text = new StringBuilder("# End-to-end benchmark: ")
        .append(environment.name()).append("\n\n");
    environment.facts().forEach((key, value) ->
        text.append("- ").append(key).append(": ").append(value).append('\n'));
    results.notes().forEach(note -> text.append("- **").append(note).append("**\n"));
    text.append("\nMedians of the rounds. \"Compared\" is the median of what the rounds gave, each "
        + "compared with the stock DataNode of the same round, and in brackets the least and the "
        + "most; where some rounds reach a goal and some do not, the table says so. What the lines "
        + "mean is in docs/benchmarks.md.\n\n## Goals\n\n");
    goals(text, Comparison.all(results));
    text.append("\n## Everything that was measured\n\n");
    everything(text, results);
    return text.toString();
  }

  private static void goals(StringBuilder text, List<Comparison> lines) {
    text.append("| path | DataNode | figure | stock | measured | compared | goal | reached |\n"
        + "|---|---|---|---:|---:|---:|---|---|\n");
    for (Comparison line : lines) {
      Goal goal = line.goal();
      text.append("| ").append(line.path()).append(" | ").append(line.variant())
          .append(" | ").append(goal.figure().title())
          .append(" | ").append(line.stock().size() == 0 ? "" : number(line.stock().median()))
          .append(" | ").append(number(line.own().median()))
          .append(" | ").append(compared(line))
          .append(" | ").append(goal).append(unit(goal))
          .append(" | ").append(line.isReached() ? "yes" : "**no**")
          .append(line.isInTheSpread() ? ", but not in all rounds |\n" : " |\n");
    }
  }

  private static String unit(Goal goal) {
    return switch (goal.against()) {
      case STOCK -> " x stock";
      case DIFFERENCE -> " more than stock";
      case NOTHING -> "";
    };
  }

  private static String compared(Comparison line) {
    Series s = line.compared();
    return String.format(Locale.ROOT, "%.3f (%.3f to %.3f)", s.median(), s.min(), s.max());
  }

  private static void everything(StringBuilder text, Results results) {
    text.append("| path | DataNode | ").append(SHOWN.stream().map(Figure::title)
        .collect(Collectors.joining(" | "))).append(" |\n|---|---|")
        .append("---:|".repeat(SHOWN.size())).append('\n');
    for (String path : results.paths()) {
      for (String variant : results.variants(path)) {
        text.append("| ").append(path).append(" | ").append(variant).append(" | ")
            .append(SHOWN.stream().map(f -> number(results.series(path, variant, f).median()))
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

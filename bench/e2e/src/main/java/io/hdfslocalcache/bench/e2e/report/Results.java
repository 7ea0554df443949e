/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All measurements of a run. Written as they come: a run that is broken off has its rounds. */
public final class Results {

  private static final List<Figure> FIGURES = List.of(Figure.values());

  private final Path csv;
  private final Path slices;
  private final List<Row> rows = new ArrayList<>();
  private final List<Timeline> timelines = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * What was read in each second of a measurement.
   *
   * @param path stage and load
   * @param variant which DataNode
   * @param round counted from 1
   * @param reads that ended in the first second, in the second one, and so on
   */
  public record Timeline(String path, String variant, int round, List<Long> reads) {
  }

  /** Begins new files in the directory. */
  public Results(Path directory) throws IOException {
    this.csv = directory.resolve("measurements.csv");
    this.slices = directory.resolve("slices.csv");
    Files.writeString(csv, Stream.concat(Stream.of("path", "variant", "round"),
        FIGURES.stream().map(Figure::column)).collect(Collectors.joining(",", "", "\n")));
    Files.writeString(slices,
        "load,variant,round,turn,seconds,reads,bytes,p50_micros,p99_micros,cpu_s,jit_cpu_s\n");
  }

  private static void append(Path file, String line) throws IOException {
    Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
  }

  /** Adds a measurement. */
  public void add(Row row) throws IOException {
    rows.add(row);
    append(csv, row.path() + "," + row.variant() + "," + row.round() + "," + FIGURES.stream()
        .map(figure -> number(row.get(figure))).collect(Collectors.joining(",")));
  }

  private static String number(double value) {
    return Double.isNaN(value) ? ""
        : value == Math.rint(value) && Math.abs(value) < 1e15 ? String.valueOf((long) value)
        : String.format(Locale.ROOT, "%.6g", value);
  }

  /** Keeps a single slice, its figures as those of a row: to see drifts and outliers. */
  public void addSlice(int turn, Row row, long bytes) throws IOException {
    append(slices, String.format(Locale.ROOT, "%s,%s,%d,%d,%.4f,%.0f,%d,%.1f,%.1f,%.4f,%.4f",
        row.path(), row.variant(), row.round(), turn, row.get(Figure.SECONDS),
        row.get(Figure.READS), bytes, row.get(Figure.P50_MICROS), row.get(Figure.P99_MICROS),
        row.get(Figure.CPU_MICROS_PER_READ) * row.get(Figure.READS) / 1e6,
        row.get(Figure.COMPILER_SECONDS)));
  }

  /** Adds what was read in each second of a measurement. */
  public void add(Timeline timeline) {
    timelines.add(timeline);
  }

  /** Adds something that the reader of the table must know. */
  public void note(String note) {
    if (!notes.contains(note)) {
      notes.add(note);
    }
  }

  /** @return all measurements. */
  public List<Row> rows() {
    return rows;
  }

  List<Timeline> timelines() {
    return timelines;
  }

  List<String> notes() {
    return notes;
  }

  /** @return the paths in the order in which they were first measured. */
  List<String> paths() {
    return rows.stream().map(Row::path).distinct().toList();
  }

  /** @return the variants of a path: stock, stock again, then the others by name. */
  List<String> variants(String path) {
    return rows.stream().filter(r -> r.path().equals(path)).map(Row::variant).distinct()
        .sorted(Comparator.comparing((String v) -> !v.startsWith(Comparison.STOCK))
            .thenComparing(Comparator.naturalOrder())).toList();
  }

  /** @return one figure, of all rounds that have it. */
  Series series(String path, String variant, Figure figure) {
    Series series = new Series();
    rows.stream().filter(r -> r.path().equals(path) && r.variant().equals(variant)
        && r.figures().containsKey(figure)).forEach(r -> series.put(r.round(), r.get(figure)));
    return series;
  }

  /**
   * One measurement.
   *
   * @param path stage and load, such as {@code hit/seq-1}
   * @param variant which DataNode
   * @param round counted from 1
   */
  public record Row(String path, String variant, int round, Map<Figure, Double> figures) {

    /** A measurement without figures yet. */
    public static Row of(String path, String variant, int round) {
      return new Row(path, variant, round, new EnumMap<>(Figure.class));
    }

    /** Adds a figure. @return this. */
    public Row set(Figure figure, double value) {
      figures.put(figure, value);
      return this;
    }

    /** @return the figure, or not a number. */
    public double get(Figure figure) {
      return figures.getOrDefault(figure, Double.NaN);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All measurements of a run. Written as they come: a run that is broken off has its rounds. */
public final class Results {

  private final Path csv;
  private final List<Row> rows = new ArrayList<>();
  private final List<Timeline> timelines = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** Begins a new file in the directory. */
  public Results(Path directory) throws IOException {
    this.csv = directory.resolve("measurements.csv");
    Files.writeString(csv, Stream.concat(Stream.of("path", "variant", "round"),
        Arrays.stream(Figure.values()).map(Figure::column)).collect(Collectors.joining(","))
        + "\n");
  }

  /** Adds a measurement. */
  public void add(Row row) throws IOException {
    rows.add(row);
    String figures = Arrays.stream(Figure.values())
        .map(f -> row.figures().containsKey(f) ? number(row.get(f)) : "")
        .collect(Collectors.joining(","));
    Files.writeString(csv, row.path() + "," + row.variant() + "," + row.round() + "," + figures
        + "\n", StandardOpenOption.APPEND);
  }

  /** Adds what was read in each second of a measurement. */
  public void add(Timeline timeline) {
    timelines.add(timeline);
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.valueOf((long) value) : String.format(Locale.ROOT, "%.6g", value);
  }

  /** Adds something that the reader of the table must know. */
  public void note(String note) {
    if (!notes.contains(note)) {
      notes.add(note);
    }
  }

  public List<Row> rows() {
    return rows;
  }

  public List<Timeline> timelines() {
    return timelines;
  }

  List<Timeline> timelines(String path) {
    return timelines.stream().filter(timeline -> timeline.path().equals(path)).toList();
  }

  public List<String> notes() {
    return notes;
  }

  /** @return the paths in the order in which they were first measured. */
  public List<String> paths() {
    return rows.stream().map(Row::path).distinct().toList();
  }

  /** @return the variants of a path: stock, stock again, then the others by name. */
  public List<String> variants(String path) {
    return rows.stream().filter(r -> r.path().equals(path)).map(Row::variant).distinct()
        .sorted(Comparator.comparing((String v) -> !v.startsWith(Comparison.STOCK))
            .thenComparing(Comparator.naturalOrder())).toList();
  }

  /** @return one figure, of all rounds that have it. */
  public Series series(String path, String variant, Figure figure) {
    Series series = new Series();
    rows.stream().filter(r -> r.path().equals(path) && r.variant().equals(variant)
        && r.figures().containsKey(figure)).forEach(r -> series.put(r.round(), r.get(figure)));
    return series;
  }
}

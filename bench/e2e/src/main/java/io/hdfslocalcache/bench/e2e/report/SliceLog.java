/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Every single slice, in the order in which they were measured: to see drifts and outliers. */
public final class SliceLog {

  private final Path csv;

  /** Begins a new file in the directory. */
  public SliceLog(Path directory) throws IOException {
    this.csv = directory.resolve("slices.csv");
    Files.writeString(csv,
        "load,variant,round,turn,seconds,reads,bytes,p50_micros,p99_micros,cpu_s,jit_cpu_s\n");
  }

  /** Adds a slice, its figures as those of a row. */
  public void add(int turn, Row row, long bytes) throws IOException {
    Files.writeString(csv, String.format(Locale.ROOT,
        "%s,%s,%d,%d,%.4f,%.0f,%d,%.1f,%.1f,%.4f,%.4f%n",
        row.path(), row.variant(), row.round(), turn, row.get(Figure.SECONDS), row.get(Figure.READS), bytes,
        row.get(Figure.P50_MICROS), row.get(Figure.P99_MICROS),
        row.get(Figure.CPU_MICROS_PER_READ) * row.get(Figure.READS) / 1e6,
        row.get(Figure.COMPILER_SECONDS)), StandardOpenOption.APPEND);
  }
}

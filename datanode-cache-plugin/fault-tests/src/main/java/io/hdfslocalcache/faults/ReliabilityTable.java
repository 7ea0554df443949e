/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

import io.hdfslocalcache.harness.Table;

/** The outcomes as a table, kept in {@code bench/results/faults.md}. */
public final class ReliabilityTable {

  private final Path file;
  private final Map<Ssd.Kind, Table> tables = new EnumMap<>(Ssd.Kind.class);

  /** @param file written anew after each outcome */
  public ReliabilityTable(Path file) {
    this.file = file;
  }

  /** Adds an outcome. */
  public void add(Outcome outcome) throws IOException {
    outcome.addTo(
        tables.computeIfAbsent(outcome.scenario().kind(), kind -> Outcome.table()));
    StringBuilder text = new StringBuilder();
    tables.forEach((kind, table) -> text.append("## ").append(kind.title()).append("\n\n")
        .append(table).append('\n'));
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}

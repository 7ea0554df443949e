/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The outcomes as a table, from which {@code docs/reliability.md} is made. */
public final class ReliabilityTable {

  private final Path file;
  private final Map<Ssd.Kind, List<String>> rows = new EnumMap<>(Ssd.Kind.class);

  /** @param file written anew after each outcome */
  public ReliabilityTable(Path file) {
    this.file = file;
  }

  /** Adds an outcome. */
  public void add(Outcome outcome) throws IOException {
    rows.computeIfAbsent(outcome.scenario().kind(), k -> new ArrayList<>()).add(outcome.toRow());
    StringBuilder text = new StringBuilder();
    rows.forEach((kind, ofKind) -> text.append("## ").append(kind.title()).append("\n\n")
        .append(Outcome.header()).append('\n')
        .append(String.join("\n", ofKind)).append("\n\n"));
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}

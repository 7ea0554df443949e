/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The outcomes as a table, from which {@code docs/reliability.md} is made. */
public final class ReliabilityTable {

  private final Path file;
  private final List<String> rows = new ArrayList<>();

  /** @param file written anew after each outcome */
  public ReliabilityTable(Path file) {
    this.file = file;
  }

  /** Adds an outcome. */
  public void add(Outcome outcome) throws IOException {
    rows.add(outcome.toRow());
    Files.createDirectories(file.getParent());
    Files.writeString(file, Outcome.header() + "\n" + String.join("\n", rows) + "\n");
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The table in README.md of what runs on what: a row for each Hadoop, a column for each Java, and a
 * {@code yes} where the quick start has to pass.
 */
final class SupportTable {

  private static final String HEAD = "| Hadoop | ";

  private final List<List<String>> lines;

  SupportTable(Path file) throws IOException {
    try (Stream<String> all = Files.lines(file)) {
      lines = all.dropWhile(line -> !line.startsWith(HEAD)).takeWhile(line -> line.startsWith("|"))
          .map(line -> List.of(line.substring(2).split(" *\\| *"))).toList();
    }
  }

  /** Returns the releases of Hadoop. */
  List<String> releases() {
    return lines.stream().skip(2).map(line -> line.get(0)).toList();
  }

  /** Returns the release of Hadoop and that of Java of each {@code yes}. */
  List<Object[]> rows() {
    List<Object[]> rows = new ArrayList<>();
    for (List<String> line : lines.subList(2, lines.size())) {
      for (int i = 1; i < line.size(); i++) {
        if (line.get(i).equals("yes")) {
          rows.add(new Object[] {line.get(0), lines.get(0).get(i).replaceAll("[^0-9]", "")});
        }
      }
    }
    return rows;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A table in Markdown. */
public final class Table {

  private static final String RIGHT = ">";

  private final StringBuilder text = new StringBuilder();

  /** @param columns their names; one that begins with {@code >} has its cells to the right */
  public Table(List<String> columns) {
    row(columns.stream().map(Table::name).toList());
    text.append(columns.stream().map(column -> column.startsWith(RIGHT) ? "--:" : "---")
        .collect(Collectors.joining("|", "|", "|\n")));
  }

  /** The same. */
  public Table(String... columns) {
    this(List.of(columns));
  }

  private static String name(String column) {
    return column.startsWith(RIGHT) ? column.substring(RIGHT.length()) : column;
  }

  /** Adds a row. */
  public void row(List<?> cells) {
    text.append(cells.stream().map(String::valueOf)
        .collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  /** Adds a row. */
  public void row(Object... cells) {
    row(Arrays.asList(cells));
  }

  /** @return the table, with the end of its last line. */
  @Override
  public String toString() {
    return text.toString();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table of text. */
public final class Table {

  private static final String RIGHT = ">";

  private final List<String> columns;
  private final List<Boolean> right;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Boolean> chosen = new ArrayList<>();

  /** @param columns their names; a leading {@code >} aligns cells to the right */
  public Table(List<String> columns) {
    this.right = columns.stream().map(column -> column.startsWith(RIGHT)).toList();
    this.columns = columns.stream().map(column ->
        column.startsWith(RIGHT) ? column.substring(RIGHT.length()) : column).toList();
  }

  /** The same. */
  public Table(String... columns) {
    this(List.of(columns));
  }

  /** Adds a row. */
  public void row(List<?> cells) {
    row(false, cells);
  }

  /** Adds a row. */
  public void row(Object... cells) {
    row(Arrays.asList(cells));
  }

  /** Adds a row. @param isChosen whether it is highlighted */
  public void row(boolean isChosen, List<?> cells) {
    rows.add(cells.stream().map(String::valueOf).toList());
    chosen.add(isChosen);
  }

  /** @return names of the columns. */
  public List<String> getColumns() {
    return columns;
  }

  /** @return whether each column is aligned to the right. */
  public List<Boolean> getRight() {
    return right;
  }

  /** @return the cells of each row. */
  public List<List<String>> getRows() {
    return rows;
  }

  /** @return whether each row is highlighted. */
  public List<Boolean> getChosen() {
    return chosen;
  }

  /** @return the table in Markdown, with a final line end. */
  public String markdown() {
    List<List<String>> lines = new ArrayList<>(rows);
    lines.add(0, right.stream().map(isRight -> isRight ? "--:" : "---").toList());
    lines.add(0, columns);
    return lines.stream().map(cells -> cells.stream().map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining("|", "|", "|\n"))).collect(Collectors.joining());
  }

  /** @return the table with aligned columns, with a final line end. */
  public String text() {
    List<List<String>> lines = new ArrayList<>(rows);
    lines.add(0, columns);
    int[] widths = IntStream.range(0, columns.size()).map(i ->
        lines.stream().mapToInt(cells -> cells.get(i).length()).max().orElse(0)).toArray();
    return lines.stream().map(cells -> IntStream.range(0, cells.size()).mapToObj(i -> {
      String blanks = " ".repeat(widths[i] - cells.get(i).length());
      return right.get(i) ? blanks + cells.get(i) : cells.get(i) + blanks;
    }).collect(Collectors.joining("  ")).stripTrailing() + "\n").collect(Collectors.joining());
  }
}

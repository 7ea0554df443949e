/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.util.Arrays;
import java.util.Locale;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/**
 * Reads a trace in CSV. The first line names the columns, see {@link Column}, in any order; others
 * are passed over. No value contains a comma, so there are no quotes.
 */
final class CsvParser implements LineParser {

  private static final Column[] COLUMNS = Column.values();

  /** Which column of the file a column is, or -1. */
  private final int[] places = new int[COLUMNS.length];
  private final int width;
  /** Where the values of the line end. */
  private final int[] ends;
  private final Interner strings = new Interner();
  private String line;
  private long orderMillis;

  /**
   * Makes a parser for a file.
   *
   * @param header its first line
   * @throws BadLineException if a column is missing that is needed
   */
  CsvParser(String header) throws BadLineException {
    String[] names = header.split(",", -1);
    this.width = names.length;
    this.ends = new int[width];
    Arrays.fill(places, -1);
    for (int i = 0; i < width; i++) {
      Column column = Column.of(names[i]);
      if (column != null) {
        places[column.ordinal()] = i;
      }
    }
    for (Column column : COLUMNS) {
      if (column.isNeeded() && !has(column)) {
        throw new BadLineException("no column " + column.text() + " in the first line");
      }
    }
  }

  /** @return whether a line can be the first of such a file. */
  static boolean accepts(String line) {
    return line.contains(Column.TIME_MS.text()) || line.contains(Column.BLOCK_ID.text());
  }

  @Override
  public Kind parse(String text, Access access) throws BadLineException {
    if (text.isBlank()) {
      return Kind.OTHER;
    }
    split(text);
    access.clear();
    access.timeMillis = number(Column.TIME_MS, 0);
    access.op = op();
    access.blockPool = string(Column.BLOCK_POOL);
    access.blockId = number(Column.BLOCK_ID, 0);
    access.generationStamp = number(Column.GENERATION_STAMP, 0);
    access.offset = notNegative(Column.OFFSET, 0);
    access.length = notNegative(Column.LENGTH, 0);
    access.durationMicros = notNegative(Column.DURATION_US, Access.UNKNOWN);
    access.reader = string(Column.READER);
    access.blockBytes = notNegative(Column.BLOCK_BYTES, 0);
    access.outcome = outcome();
    if (access.offset + access.length < 0) {
      throw new BadLineException("offset and length together are too large");
    }
    orderMillis = access.timeMillis;
    return Kind.ACCESS;
  }

  private void split(String text) throws BadLineException {
    line = text;
    int columns = 0;
    int from = 0;
    while (columns < width) {
      int comma = text.indexOf(',', from);
      ends[columns++] = comma < 0 ? text.length() : comma;
      if (comma < 0) {
        break;
      }
      from = comma + 1;
    }
    if (columns != width || ends[width - 1] != text.length()) {
      throw new BadLineException("not " + width + " columns");
    }
  }

  private boolean has(Column column) {
    return places[column.ordinal()] >= 0;
  }

  private int from(Column column) {
    int place = places[column.ordinal()];
    return place == 0 ? 0 : ends[place - 1] + 1;
  }

  private int to(Column column) {
    return ends[places[column.ordinal()]];
  }

  private String text(Column column) {
    return line.substring(from(column), to(column));
  }

  private String string(Column column) {
    return has(column) ? strings.intern(text(column)) : "";
  }

  private Op op() throws BadLineException {
    if (!has(Column.OP)) {
      return Op.READ;
    }
    String text = string(Column.OP);
    Op op = Op.of(text);
    if (op == null) {
      throw new BadLineException("no such op: " + text);
    }
    return op;
  }

  private ReadOutcome outcome() throws BadLineException {
    String text = string(Column.OUTCOME);
    try {
      return text.isEmpty() ? null : ReadOutcome.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new BadLineException("no such outcome: " + text);
    }
  }

  private long number(Column column, long otherwise) throws BadLineException {
    if (!has(column) || !column.isNeeded() && from(column) == to(column)) {
      return otherwise;
    }
    try {
      return Long.parseLong(line, from(column), to(column), 10);
    } catch (NumberFormatException e) {
      throw new BadLineException(column.text() + " is no number: " + text(column));
    }
  }

  private long notNegative(Column column, long otherwise) throws BadLineException {
    long number = number(column, otherwise);
    if (number < 0 && number != otherwise) {
      throw new BadLineException("negative " + column.text() + " " + number);
    }
    return number;
  }

  @Override
  public long orderMillis() {
    return orderMillis;
  }

  @Override
  public boolean hasReader() {
    return has(Column.READER);
  }
}

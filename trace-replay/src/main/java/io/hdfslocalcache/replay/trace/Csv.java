/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.replay.trace.Trace.Access;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceLoader.LineParser;

/**
 * Traces as CSV. The first line names the columns, in any order; unknown ones are ignored. No value
 * contains a comma, so there are no quotes.
 */
public final class Csv implements LineParser {

  /** The columns, in the order in which they are written. */
  enum Column {
    /** Milliseconds since 1970 when the access began. */
    TIME_MS,
    /** See {@link Op}; read if there is no such column. */
    OP,
    /** The block pool. */
    BLOCK_POOL,
    /** The block. */
    BLOCK_ID,
    /** The block's version. */
    GENERATION_STAMP,
    /** First byte. */
    OFFSET,
    /** Bytes of block data. */
    LENGTH,
    /** Duration in microseconds. */
    DURATION_US,
    /** The client. */
    READER,
    /** Bytes in the block. */
    BLOCK_BYTES,
    /** Outcome of a read; see the plugin's {@code ReadOutcome}. */
    OUTCOME;

    private String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** @return whether a trace must have it. */
    private boolean isNeeded() {
      return this == TIME_MS || this == BLOCK_ID || this == OFFSET || this == LENGTH;
    }
  }

  /** The first line of a file with all columns. */
  static final String HEADER =
      Arrays.stream(Column.values()).map(Column::text).collect(Collectors.joining(","));

  /** Position of each column in a line. */
  private final Map<Column, Integer> places = new EnumMap<>(Column.class);
  private final int width;
  private String[] values;

  /**
   * Creates a parser for a file.
   *
   * @param header its first line
   * @throws TraceException if a required column is missing
   */
  Csv(String header) throws TraceException {
    String[] names = header.split(",", -1);
    this.width = names.length;
    for (Column column : Column.values()) {
      for (int i = 0; i < width; i++) {
        if (names[i].strip().equals(column.text())) {
          places.put(column, i);
        }
      }
      if (column.isNeeded() && !places.containsKey(column)) {
        throw new TraceException("no column " + column.text() + " in the first line");
      }
    }
  }

  /** @return whether a line is a header of such a file. */
  static boolean accepts(String line) {
    return line.contains(Column.TIME_MS.text()) || line.contains(Column.BLOCK_ID.text());
  }

  @Override
  public Line parse(String text) throws TraceException {
    if (text.isBlank()) {
      return null;
    }
    values = text.split(",", -1);
    if (values.length != width) {
      throw new TraceException("not " + width + " columns");
    }
    long time = number(Column.TIME_MS, 0);
    TracedRead read = new TracedRead(time, notNegative(Column.DURATION_US, Access.UNKNOWN),
        value(Column.BLOCK_POOL, ""), number(Column.BLOCK_ID, 0),
        number(Column.GENERATION_STAMP, 0), notNegative(Column.BLOCK_BYTES, 0),
        notNegative(Column.OFFSET, 0), notNegative(Column.LENGTH, 0), value(Column.READER, null),
        outcome());
    if (read.offset() + read.length() < 0) {
      throw new TraceException("offset and length together are too large");
    }
    return new Line(op(), read);
  }

  private String value(Column column, String otherwise) {
    Integer place = places.get(column);
    return place == null ? otherwise : values[place];
  }

  private Op op() throws TraceException {
    String text = value(Column.OP, Op.READ.text());
    return Arrays.stream(Op.values()).filter(op -> op.text().equals(text)).findFirst()
        .orElseThrow(() -> new TraceException("no such op: " + text));
  }

  private ReadOutcome outcome() throws TraceException {
    String text = value(Column.OUTCOME, "");
    try {
      return text.isEmpty() ? null : ReadOutcome.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new TraceException("no such outcome: " + text);
    }
  }

  private long number(Column column, long otherwise) throws TraceException {
    String text = value(column, "");
    if (text.isEmpty() && !column.isNeeded()) {
      return otherwise;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new TraceException(column.text() + " is no number: " + text);
    }
  }

  private long notNegative(Column column, long otherwise) throws TraceException {
    long number = number(column, otherwise);
    if (number < 0 && number != otherwise) {
      throw new TraceException("negative " + column.text() + " " + number);
    }
    return number;
  }

  /**
   * Writes a trace.
   *
   * @param out the output; not closed
   */
  public static void write(Trace trace, OutputStream out) throws IOException {
    Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    text.append(Csv.HEADER).append('\n');
    for (Access access : trace.accesses()) {
      Replica replica = trace.replica(access);
      text.append(String.join(",", "" + access.timeMillis(), access.op().text(),
          replica.blockPool(), "" + replica.blockId(), "" + replica.generationStamp(),
          "" + access.offset(), "" + access.length(),
          access.durationMicros() < 0 ? "" : "" + access.durationMicros(),
          trace.readers().get(access.reader()), "" + trace.replicaBytes()[access.replica()],
          access.outcome() == null ? "" : access.outcome().name().toLowerCase(Locale.ROOT)));
      text.append('\n');
    }
    text.flush();
  }
}

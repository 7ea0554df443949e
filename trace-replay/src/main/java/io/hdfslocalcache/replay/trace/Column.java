/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The columns of a trace in CSV, in the order in which they are written. */
enum Column {
  /** Milliseconds since 1970 when the access began. */
  TIME_MS(true),
  /** See {@link Op}; read if there is no such column. */
  OP(false),
  /** The block pool. */
  BLOCK_POOL(false),
  /** The block. */
  BLOCK_ID(true),
  /** The block's version. */
  GENERATION_STAMP(false),
  /** First byte. */
  OFFSET(true),
  /** Bytes of block data. */
  LENGTH(true),
  /** Microseconds it took. */
  DURATION_US(false),
  /** Who did it. */
  READER(false),
  /** Bytes in the block. */
  BLOCK_BYTES(false),
  /** What a local cache made of a read; see the plugin's {@code ReadOutcome}. */
  OUTCOME(false);

  private final boolean needed;

  Column(boolean needed) {
    this.needed = needed;
  }

  /** @return the name in the first line. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** @return whether a trace is of no use without it. */
  boolean isNeeded() {
    return needed;
  }

  /** @return the first line of a file. */
  static String header() {
    return Arrays.stream(values()).map(Column::text).collect(Collectors.joining(","));
  }

  /** @return the column of that name, or null. */
  static Column of(String text) {
    String name = text.strip();
    return Arrays.stream(values()).filter(column -> column.text().equals(name))
        .findFirst().orElse(null);
  }
}

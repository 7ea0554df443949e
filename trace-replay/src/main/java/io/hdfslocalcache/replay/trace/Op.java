/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.util.Locale;

/** What a client did. */
public enum Op {
  /** Read a range of a block through the DataNode. */
  READ,
  /** Wrote a block. */
  WRITE,
  /** Opened a block's files itself; the DataNode does not see what it read then. */
  SHORT_CIRCUIT;

  private static final Op[] VALUES = values();

  private final String text = name().toLowerCase(Locale.ROOT);

  /** @return the name in files. */
  public String text() {
    return text;
  }

  static Op of(int ordinal) {
    return VALUES[ordinal];
  }

  /** @return the operation of that name, or null. */
  static Op of(String text) {
    for (Op op : VALUES) {
      if (op.text.equals(text)) {
        return op;
      }
    }
    return null;
  }
}

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

  private final String text = name().toLowerCase(Locale.ROOT);

  /** @return the name in files. */
  public String text() {
    return text;
  }
}

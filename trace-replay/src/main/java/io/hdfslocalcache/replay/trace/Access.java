/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.util.Locale;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/**
 * What a client did once. Replicas and readers are numbers that their {@link Trace} explains.
 *
 * @param op what was done
 * @param timeMillis milliseconds since 1970 when it began
 * @param replica number of the replica
 * @param offset first byte
 * @param length bytes of block data
 * @param durationMicros microseconds it took, or {@link #UNKNOWN}
 * @param reader number of the reader
 * @param outcome what a local cache made of a read, or null if unknown
 */
public record Access(Op op, long timeMillis, int replica, long offset, long length,
    int durationMicros, int reader, ReadOutcome outcome) {

  /** Duration of an access of which the trace does not tell. */
  public static final int UNKNOWN = -1;

  /** @return whether a client read through the DataNode: all that a local cache hears of. */
  public boolean isRead() {
    return op == Op.READ;
  }

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
}

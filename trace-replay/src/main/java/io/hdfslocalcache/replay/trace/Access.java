/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/** One line of a trace. Used again for the next line: copy what is to be kept. */
final class Access {

  /** Duration of an access of which the trace does not tell. */
  static final long UNKNOWN = -1;

  /** Milliseconds since 1970 when the access began. */
  long timeMillis;
  /** What was done. */
  Op op;
  /** The block pool; empty if unknown. */
  String blockPool;
  /** The block. */
  long blockId;
  /** The block's version; 0 if unknown. */
  long generationStamp;
  /** First byte. */
  long offset;
  /** Bytes of block data. */
  long length;
  /** Microseconds it took, or {@link #UNKNOWN}. */
  long durationMicros;
  /** Who did it: an address; empty if unknown. */
  String reader;
  /** Bytes in the block, or 0 if unknown. */
  long blockBytes;
  /** What a local cache made of a read, or null if unknown. */
  ReadOutcome outcome;

  void clear() {
    outcome = null;
    timeMillis = 0;
    op = Op.READ;
    blockPool = "";
    blockId = 0;
    generationStamp = 0;
    offset = 0;
    length = 0;
    durationMicros = UNKNOWN;
    reader = "";
    blockBytes = 0;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.Trace.TraceBuilder;
import io.hdfslocalcache.replay.trace.TraceStat.TopShare;

/** Records accesses, and counts them. Times are in milliseconds since the trace began. */
final class StatTrace {

  static final long MINUTE = 60_000;
  static final long HOUR = 60 * MINUTE;

  private final TraceBuilder builder = new TraceBuilder();

  /** Reads of a block, a millisecond after each other. */
  StatTrace reads(int number, long millis, long block, long length) {
    for (int i = 0; i < number; i++) {
      add(Op.READ, millis + i, block, length);
    }
    return this;
  }

  StatTrace add(Op op, long millis, long block, long length) {
    builder.add(op, millis, builder.replica(new Replica("BP-1", block, 1)), 0, length,
        builder.reader("10.0.0." + block));
    return this;
  }

  Trace trace() {
    return builder.build();
  }

  TraceStat stat(int top) throws TraceException {
    return TraceStat.of(trace(), top);
  }

  TopShare top(int blocks) throws TraceException {
    return stat(blocks).top();
  }
}

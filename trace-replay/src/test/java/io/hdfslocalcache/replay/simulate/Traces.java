/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import io.hdfslocalcache.replay.generate.Generator;
import io.hdfslocalcache.replay.generate.Plan;
import io.hdfslocalcache.replay.generate.Plan.Host;
import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.generate.Plan.SizeMix;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.Trace.TraceBuilder;

/** Traces to simulate. */
final class Traces {

  static final int PAGE = 4096;
  private static final long SECOND = 1000;

  private final TraceBuilder builder = new TraceBuilder();

  /** @return a small host's trace. */
  static Trace generated(Kind kind) throws Exception {
    return Generator.generate(new Plan(Host.UBER.get(0).scaled(0.01), kind, SizeMix.LARGE, 1));
  }

  /** @return the trace in which page after page is read, each a block of its own, every second. */
  static Trace ofPages(int... pages) throws Exception {
    Traces traces = new Traces();
    for (int i = 0; i < pages.length; i++) {
      traces.read(i * SECOND, pages[i], 1, 0, PAGE);
    }
    return traces.build();
  }

  Traces read(long millis, long block, long generation, long offset, long length) {
    builder.add(Op.READ, millis, builder.replica(new Replica("BP-1", block, generation)), offset,
        length, builder.reader("r"));
    return this;
  }

  Traces size(long block, long bytes) {
    builder.atLeast(builder.replica(new Replica("BP-1", block, 1)), bytes);
    return this;
  }

  Trace build() throws Exception {
    return builder.build();
  }
}

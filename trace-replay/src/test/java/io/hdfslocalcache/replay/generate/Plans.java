/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import io.hdfslocalcache.replay.generate.Plan.Host;
import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.generate.Plan.SizeMix;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.TraceException;

/** Plans of a very small host, whose trace is made in milliseconds. */
final class Plans {

  static final long HOUR = 3_600_000;
  /** The first of Uber's hosts, with a thousandth of its reads and blocks. */
  static final Host HOST = Host.UBER.get(0).scaled(0.001);

  private Plans() {
  }

  static Plan plan(Kind kind, long seed) {
    return new Plan(HOST, kind, SizeMix.SMALL, seed);
  }

  static Trace generate(Plan plan) throws TraceException {
    return Generator.generate(plan);
  }
}

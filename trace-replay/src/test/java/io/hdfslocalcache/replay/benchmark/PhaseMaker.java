/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.replay.operator.ClusterCounters.Counted;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;

/** Phases of a benchmark, read by read; times are seconds since the readers began. */
final class PhaseMaker {

  static final int MB = 1 << 20;
  /** No DataNode has told anything. */
  static final Counted UNKNOWN = new Counted(Optional.empty(), 0);

  private static final double MICROS = 1e6;
  private static final double MILLIS = 1e3;

  private final Tally main = new Tally();
  private final Tally warmedUp = new Tally();
  private double warmUp;

  /** @return what DataNodes counted; bytes from SSDs and replicas, a quarter of the reads hits. */
  static Counted counted(long fromSsds, long fromReplicas) {
    Map<String, Long> values = new TreeMap<>();
    for (ReadOutcome outcome : ReadOutcome.values()) {
      values.put(outcome.metric(), 0L);
    }
    for (Event event : Event.values()) {
      values.put(event.metric(), 0L);
    }
    if (fromSsds + fromReplicas > 0) {
      values.put(ReadOutcome.HIT.metric(), 1L);
      values.put(ReadOutcome.MISS_ADMITTED.metric(), 3L);
    }
    values.put(Event.BYTES_HIT.metric(), fromSsds);
    values.put(Event.BYTES_MISS.metric(), fromReplicas);
    return new Counted(Optional.of(new Counters(values)), 0);
  }

  private static void read(Tally tally, double begin, double end, int megabytes) {
    tally.add(Math.round(begin * MICROS), Math.round(end * MICROS), (long) megabytes * MB);
  }

  PhaseMaker read(double begin, double end, int megabytes) {
    read(main, begin, end, megabytes);
    return this;
  }

  /** A read of 1 MB that belongs to the warm-up, which is over when it is. */
  PhaseMaker warmedUp(double begin, double end) {
    warmUp = Math.max(warmUp, end);
    read(warmedUp, begin, end, 1);
    return this;
  }

  PhaseMaker late(long millis) {
    main.addLate(millis);
    return this;
  }

  PhaseMaker failed(int reads) {
    for (int i = 0; i < reads; i++) {
      main.addFailed();
    }
    return this;
  }

  Phase phase(String name) {
    return phase(name, UNKNOWN);
  }

  Phase phase(String name, Counted counted) {
    return new Phase(name, main, warmedUp, counted, Math.round(warmUp * MILLIS));
  }
}

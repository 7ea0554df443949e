/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.hdfslocalcache.replay.operator.Traffic;
import io.hdfslocalcache.replay.operator.Traffic.Sample;

/** Makes a phase read by read. Times are in seconds since the readers began. */
final class PhaseMaker {

  static final int MB = 1 << 20;
  /** No DataNode has told anything. */
  static final Traffic UNKNOWN = new Traffic(List.of(), 0);

  private static final double MICROS = 1e6;
  private static final double MILLIS = 1e3;

  private final Map<String, Tally> tallies = new TreeMap<>();
  private final Tally main = new Tally();
  private double warmUp;

  PhaseMaker() {
    tallies.put("replay", main);
  }

  /** All DataNodes, where a share of the bytes came from SSDs in each of the first 1000 seconds. */
  static Traffic offload(double share) {
    long bytes = 1000L * MB;
    long fromSsds = Math.round(share * bytes);
    return new Traffic(List.of(new Sample(0, 0, 0, 0, 0),
        new Sample(1_000_000, fromSsds, bytes - fromSsds, 1000, 250)), 0);
  }

  private static void read(Tally tally, double begin, double end, int megabytes) {
    tally.add(Math.round(begin * MICROS), Math.round(end * MICROS), (long) megabytes * MB);
  }

  PhaseMaker read(double begin, double end, int megabytes) {
    read(main, begin, end, megabytes);
    return this;
  }

  /** A read that is counted apart, such as that of a pass. */
  PhaseMaker readAs(String name, double begin, double end, int megabytes) {
    read(tallies.computeIfAbsent(name, n -> new Tally()), begin, end, megabytes);
    return this;
  }

  /** A read of 1 MB that belongs to the warm-up, which is over when it is. */
  PhaseMaker warmedUp(double begin, double end) {
    warmUp = Math.max(warmUp, end);
    return readAs(Phase.WARM_UP, begin, end, 1);
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

  PhaseMaker taskSeconds(double seconds) {
    main.addTaskMillis(Math.round(seconds * MILLIS));
    return this;
  }

  Phase phase(String name) {
    return phase(name, UNKNOWN);
  }

  Phase phase(String name, Traffic traffic) {
    return new Phase(name, tallies, traffic, Math.round(warmUp * MILLIS));
  }
}

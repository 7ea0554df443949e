/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.util.Map;
import java.util.OptionalDouble;

import io.hdfslocalcache.replay.benchmark.measure.Tally;
import io.hdfslocalcache.replay.benchmark.measure.Timeline;
import io.hdfslocalcache.replay.operator.Traffic;

/**
 * A benchmark's readers with the local cache in one state.
 *
 * @param name the state
 * @param tallies what the readers measured, by name; what {@link #WARM_UP} names is in no figure
 * @param traffic what the DataNodes counted meanwhile
 * @param warmUpMillis time at the beginning that is in no figure; 0 if all is
 */
public record Phase(String name, Map<String, Tally> tallies, Traffic traffic, long warmUpMillis) {

  /** Name of the tally of operations that are done first, and are in no figure. */
  public static final String WARM_UP = "warm-up";

  /** @return all tallies together but that of the warm-up: what figures are made of. */
  public Tally total() {
    Tally total = new Tally();
    tallies.forEach((tallied, tally) -> {
      if (!tallied.equals(WARM_UP)) {
        total.add(tally);
      }
    });
    return total;
  }

  /** @return what was done when, in the warm-up, too. */
  public Timeline timeline() {
    Timeline all = new Timeline();
    tallies.values().forEach(tally -> all.add(tally.timeline()));
    return all;
  }

  /** @return what was done in the warm-up; nothing if there was none. */
  public Tally warmUp() {
    return tallies.getOrDefault(WARM_UP, new Tally());
  }

  /** @return the share of the bytes after the warm-up that came from SSDs. */
  public OptionalDouble offload() {
    return traffic.offload(firstMillis(), Long.MAX_VALUE);
  }

  /** @return the share of the reads of admitted blocks after the warm-up that SSDs served alone. */
  public OptionalDouble reuse() {
    return traffic.reuse(firstMillis(), Long.MAX_VALUE);
  }

  /** Without a warm-up, all counts: also what was read a moment before the start. */
  private long firstMillis() {
    return warmUpMillis == 0 ? Long.MIN_VALUE : warmUpMillis;
  }
}

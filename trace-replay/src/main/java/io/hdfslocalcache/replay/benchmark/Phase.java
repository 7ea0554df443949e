/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.util.Map;

import io.hdfslocalcache.replay.benchmark.measure.Tally;
import io.hdfslocalcache.replay.benchmark.watch.Traffic;

/**
 * A benchmark's readers with the local cache in one state.
 *
 * @param name the state
 * @param tallies what the readers measured, by name
 * @param traffic what the DataNodes counted meanwhile
 */
public record Phase(String name, Map<String, Tally> tallies, Traffic traffic) {

  /** @return all tallies together. */
  public Tally total() {
    Tally total = new Tally();
    tallies.values().forEach(total::add);
    return total;
  }
}

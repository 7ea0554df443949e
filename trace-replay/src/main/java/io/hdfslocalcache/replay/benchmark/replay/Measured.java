/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

import io.hdfslocalcache.replay.benchmark.measure.Tally;

/**
 * What was done, the warm-up apart.
 *
 * @param warmUp reads that belong to the warm-up
 * @param main all others
 */
record Measured(Tally warmUp, Tally main) {

  void add(Measured other) {
    warmUp.add(other.warmUp);
    main.add(other.main);
  }
}

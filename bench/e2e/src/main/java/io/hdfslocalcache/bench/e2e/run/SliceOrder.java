/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * In which order DataNodes are measured: shuffled anew each time, so that being first or after a
 * certain other one favours none; the same again with the same seed.
 */
final class SliceOrder {

  private final Random random;

  SliceOrder(long seed) {
    this.random = new Random(seed);
  }

  /** @return all of them, in the next order. */
  <T> List<T> next(List<T> members) {
    List<T> shuffled = new ArrayList<>(members);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }
}

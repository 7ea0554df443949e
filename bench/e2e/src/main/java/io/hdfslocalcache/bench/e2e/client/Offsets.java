/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Where positioned reads begin, numbered over all files of a load. */
interface Offsets {

  /** @return file number times file length plus offset, or negative: there is no more. */
  long next();

  /** Random multiples of 4 KB from which a whole read fits into the file. For one thread. */
  static Offsets random(Load load, long fileLength, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long places = (fileLength - load.size()) / 4096 + 1;
    return () -> random.nextInt(load.files()) * fileLength + random.nextLong(places) * 4096;
  }

  /** Every multiple of the load's stride once, in random order. For all threads together. */
  static Offsets once(Load load, long fileLength) {
    int count = Math.toIntExact(load.files() * (fileLength / load.stride()));
    int[] order = new int[count];
    SplittableRandom random = new SplittableRandom(load.seed());
    for (int i = 0; i < count; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    AtomicInteger next = new AtomicInteger();
    return () -> {
      int i = next.getAndIncrement();
      return i < count ? (long) order[i] * load.stride() : -1;
    };
  }
}

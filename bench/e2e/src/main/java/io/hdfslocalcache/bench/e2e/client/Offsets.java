/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.util.MathArrays;

/** Where positioned reads begin, numbered over all files of a load. */
interface Offsets {

  /** Of Zipf's law: how much more often the first region is read than the others. */
  double EXPONENT = 0.9;

  /** @return file number times file length plus offset, or negative: there is no more. */
  long next();

  /** Random multiples of 4 KB from which a whole read fits into the file. For one thread. */
  static Offsets random(Load load, long fileLength, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long places = (fileLength - load.size()) / 4096 + 1;
    return () -> random.nextInt(load.files()) * fileLength + random.nextLong(places) * 4096;
  }

  /**
   * Random places of random regions, the region by Zipf's law. Which regions are read most follows
   * from the load's seed alone, and lies here and there in all files. For one thread.
   *
   * @param seed of this thread's draws
   */
  static Offsets zipf(Load load, long fileLength, long seed) {
    int[] regions =
        MathArrays.natural(Math.toIntExact(load.files() * (fileLength / load.stride())));
    MathArrays.shuffle(regions, new Well19937c(load.seed()));
    RandomGenerator random = new Well19937c(seed);
    ZipfDistribution ranks = new ZipfDistribution(random, regions.length, EXPONENT);
    int places = load.stride() / load.size();
    return () -> (long) regions[ranks.sample() - 1] * load.stride()
        + (long) random.nextInt(places) * load.size();
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

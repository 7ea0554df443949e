/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.SplittableRandom;

/** See {@link Kind#IRM}. */
final class IndependentReads implements Popularity {

  private final long seed;
  private final int reads;
  private final Rhythm rhythm;
  private final Zipf blocks;

  /**
   * Makes a popularity.
   *
   * @param reads how many reads
   * @param blocks how many blocks there are
   * @param exponent of the Zipf distribution of the blocks
   */
  IndependentReads(long seed, int reads, Rhythm rhythm, int blocks, double exponent) {
    this.seed = seed;
    this.reads = reads;
    this.rhythm = rhythm;
    this.blocks = new Zipf(blocks, exponent);
  }

  @Override
  public void forEach(Sink sink) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < reads; i++) {
      sink.read(rhythm.millis((i + random.nextDouble()) / reads), blocks.draw(random), i);
    }
  }
}

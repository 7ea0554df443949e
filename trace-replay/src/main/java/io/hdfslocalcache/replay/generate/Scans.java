/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.SplittableRandom;

/**
 * Jobs that read blocks one after the other, from beginning to end, whether anybody else does or
 * not. What they read is not worth a place in the local cache.
 */
final class Scans {

  /** Reads of a block in a scan, spread evenly over it. */
  static final int READS_PER_BLOCK = 16;

  private static final int MAX_BLOCKS = 100;
  private static final int BLOCKS_SHARE = 100;
  private static final long READ_MILLIS = 250;

  private final long seed;
  private final int reads;
  private final int blocks;
  private final Rhythm rhythm;
  private final long spanMillis;

  /**
   * Makes scans.
   *
   * @param reads how many reads they make together
   * @param blocks how many blocks there are
   */
  Scans(long seed, int reads, int blocks, Rhythm rhythm, long spanMillis) {
    this.seed = seed;
    this.reads = reads;
    this.blocks = blocks;
    this.rhythm = rhythm;
    this.spanMillis = spanMillis;
  }

  /** Takes a read. */
  interface Sink {
    /**
     * Takes a read.
     *
     * @param millis when, since the beginning
     * @param block which block, numbered from 0
     * @param part which part of it, from 0 to {@link #READS_PER_BLOCK}, exclusively
     * @param scan which scan
     */
    void read(long millis, int block, int part, int scan);
  }

  /** Makes all reads, in any order, the same each time. */
  void forEach(Sink sink) {
    SplittableRandom random = new SplittableRandom(seed);
    int length = Math.min(MAX_BLOCKS, 1 + blocks / BLOCKS_SHARE) * READS_PER_BLOCK;
    int left = reads;
    for (int scan = 0; left > 0; scan++) {
      long start = rhythm.millis(random.nextDouble());
      int first = random.nextInt(blocks);
      int ofScan = Math.min(left, length);
      for (int i = 0; i < ofScan; i++) {
        long millis = Math.min(spanMillis - 1, start + i * READ_MILLIS);
        sink.read(millis, (first + i / READS_PER_BLOCK) % blocks, i % READS_PER_BLOCK, scan);
      }
      left -= ofScan;
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.Arrays;
import java.util.SplittableRandom;

import io.hdfslocalcache.replay.generate.Plan.Rhythm;
import io.hdfslocalcache.replay.stat.Zipf;

/**
 * See {@link Plan.Kind#CHURN}. There is a fixed number of slots, popular by a Zipf distribution. A
 * block that is active sits in one, until another takes its place; slots and times of the changes
 * are chosen evenly. A session is a geometric number of reads of one block.
 */
final class ChurningReads {

  /** Mean number of reads in a session. */
  private static final double SESSION_READS = 8;
  /** Mean time between the reads of a session. */
  private static final double GAP_MILLIS = 4000;

  private final long seed;
  private final int reads;
  private final Rhythm rhythm;
  private final long spanMillis;
  private final Zipf slots;
  /** Where the changes of each slot begin in {@link #changeMillis}; one more at the end. */
  private final int[] firstChange;
  private final long[] changeMillis;

  /**
   * Makes a source of reads.
   *
   * @param reads how many reads
   * @param blocks how many blocks are active at one time or another, at least as many as slots
   * @param slots how many are active at a time
   * @param exponent of the Zipf distribution of the slots
   */
  ChurningReads(long seed, int reads, Rhythm rhythm, long spanMillis, int blocks, int slots,
      double exponent) {
    this.seed = seed;
    this.reads = reads;
    this.rhythm = rhythm;
    this.spanMillis = spanMillis;
    this.slots = new Zipf(slots, exponent);
    this.firstChange = new int[slots + 1];
    this.changeMillis = new long[blocks - slots];
    drawChanges(slots);
  }

  private void drawChanges(int slotCount) {
    SplittableRandom random = new SplittableRandom(seed + 1);
    long[] changes = new long[changeMillis.length];
    for (int i = 0; i < changes.length; i++) {
      changes[i] = random.nextInt(slotCount) * spanMillis + random.nextLong(spanMillis);
    }
    Arrays.sort(changes);
    for (int i = 0; i < changes.length; i++) {
      firstChange[(int) (changes[i] / spanMillis) + 1]++;
      changeMillis[i] = changes[i] % spanMillis;
    }
    for (int slot = 0; slot < slotCount; slot++) {
      firstChange[slot + 1] += firstChange[slot];
    }
  }

  /** @return who sits in a slot: the one that was there first, or the one of the last change. */
  private int block(int slot, long millis) {
    int change = firstChange[slot];
    while (change < firstChange[slot + 1] && changeMillis[change] <= millis) {
      change++;
    }
    return change == firstChange[slot] ? slot : firstChange.length - 1 + change - 1;
  }

  /** Makes all reads, in any order, the same each time. */
  void forEach(Plan.Sink sink) {
    SplittableRandom random = new SplittableRandom(seed);
    int left = reads;
    for (int session = 0; left > 0; session++) {
      double millis = rhythm.millis(random.nextDouble());
      int block = block(slots.draw(random), (long) millis);
      do {
        sink.read((long) millis, block, Plan.Sink.ANY_PART, session);
        left--;
        millis -= GAP_MILLIS * Math.log1p(-random.nextDouble());
      } while (left > 0 && millis < spanMillis && random.nextDouble() >= 1 / SESSION_READS);
    }
  }
}

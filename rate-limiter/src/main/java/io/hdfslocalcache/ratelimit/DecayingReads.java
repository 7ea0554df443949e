/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * How often a block is read, as one number: each read counts 1 when it is made and less from
 * minute to minute, exponentially. With a mean life of T minutes a block that is read r times a
 * minute has a heat of about r x T. A single-precision float, of which 31 bits are used.
 *
 * <p>A read that goes on where the latest one ended counts nothing: it belongs to it. For that, the
 * other bits say where the latest ended. Of 65,536 reads that begin elsewhere, one is taken for such a
 * read.
 */
final class DecayingReads implements ReadHistory {
  /** Less than this is nothing: a single read is forgotten after three mean lives. */
  private static final float LEAST = 0.05f;
  /** More than this makes no difference. */
  private static final float MOST = 1e6f;
  private static final int LIVES = 20;

  private static final int READS_BITS = 31;
  private static final int END_BITS = 16;
  private static final int READS_MASK = Integer.MAX_VALUE;

  private final float[] left;

  /**
   * Makes the rules for one mean life.
   *
   * @param meanLife T, in minutes
   */
  DecayingReads(int meanLife) {
    this.left = new float[LIVES * meanLife];
    for (int age = 0; age < left.length; age++) {
      left[age] = (float) Math.exp((double) -age / meanLife);
    }
  }

  /** @return the heat: the reads, each with what is left of it. */
  float reads(long history, long age) {
    return age < left.length ? Float.intBitsToFloat((int) history & READS_MASK) * left[(int) age] : 0;
  }

  @Override
  public int bits() {
    return READS_BITS + END_BITS;
  }

  @Override
  public long add(long history, long age) {
    return bitsOf(reads(history, age) + 1);
  }

  @Override
  public long add(long history, long age, long from, long to) {
    boolean goesOn = from != 0 && history != 0 && history >>> READS_BITS == hash(from);
    return hash(to) << READS_BITS | (goesOn ? bitsOf(reads(history, age)) : add(history, age));
  }

  private static long hash(long position) {
    return BlockHash.mix(position) >>> Long.SIZE - END_BITS;
  }

  @Override
  public int heat(long history, long age) {
    float reads = reads(history, age);
    return reads < LEAST ? 0 : (int) (reads * 100);
  }

  private static long bitsOf(float reads) {
    return Float.floatToRawIntBits(Math.min(reads, MOST));
  }
}

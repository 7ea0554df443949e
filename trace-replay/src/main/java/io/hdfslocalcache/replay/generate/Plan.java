/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.Locale;
import java.util.SplittableRandom;

import io.hdfslocalcache.replay.stat.Zipf;

/**
 * What to make.
 *
 * @param host the numbers to meet
 * @param kind how popularity goes
 * @param sizes how much a read asks for
 * @param spanMillis how long the trace is
 * @param scanShare share of the reads made by scans, 0 to 1
 * @param swing how much more than the mean comes at noon, 0 to 1
 * @param seed the same gives the same trace
 */
public record Plan(Host host, Kind kind, SizeMix sizes, long spanMillis, double scanShare,
    double swing, long seed) {

  /** How a block's popularity goes. */
  public enum Kind {
    /**
     * Independent reads: every read chooses its block anew, by a Zipf distribution that never
     * changes.
     */
    IRM,
    /**
     * Churn: readers read the same block some times within a minute or so, and the hot set drifts,
     * so that most blocks are read in a part of the time only.
     */
    CHURN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Takes the reads that are made up, in any order. */
  @FunctionalInterface
  interface Sink {
    /** The part of a block that is read if it is no scan that reads it: any. */
    int ANY_PART = -1;

    /**
     * Takes a read.
     *
     * @param millis when, since the beginning
     * @param block which block, numbered from 0
     * @param part which part of it, from 0 to {@link Plan#SCAN_READS}, exclusively, or
     *     {@link #ANY_PART}
     * @param session reads of one session have one reader; scans are numbered from 0 again
     */
    void read(long millis, int block, int part, int session);
  }

  /** Share of the blocks of a churning host that are active at a time. */
  private static final double ACTIVE = 0.5;

  /** Reads of a block in a scan, spread evenly over it. */
  static final int SCAN_READS = 16;
  private static final int SCAN_SEED = 17;
  private static final int MAX_SCAN_BLOCKS = 100;
  /** A scan reads one block in so many. */
  private static final int SCAN_SHARE = 100;
  private static final long SCAN_READ_MILLIS = 250;

  private int scanReads() {
    return (int) Math.round(host.reads() * scanShare);
  }

  Rhythm rhythm() {
    return new Rhythm(spanMillis, swing);
  }

  /**
   * Makes all reads, in any order, the same each time.
   *
   * @param blocks how many blocks there are
   * @param exponent of the Zipf distribution of their reads
   */
  void forEachRead(int blocks, double exponent, Sink sink) {
    int reads = host.reads() - scanReads();
    if (kind == Kind.IRM) {
      forEachIndependentRead(reads, new Zipf(blocks, exponent), sink);
    } else {
      int slots = Math.max(host.top() + 1, (int) (host.blocksRead() * ACTIVE));
      new ChurningReads(seed, reads, rhythm(), spanMillis, Math.max(slots, blocks), slots, exponent)
          .forEach(sink);
    }
    forEachScan(blocks, sink);
  }

  private void forEachIndependentRead(int reads, Zipf blocks, Sink sink) {
    SplittableRandom random = new SplittableRandom(seed);
    Rhythm rhythm = rhythm();
    for (int i = 0; i < reads; i++) {
      sink.read(rhythm.millis((i + random.nextDouble()) / reads), blocks.draw(random),
          Sink.ANY_PART, i);
    }
  }

  /**
   * Jobs read blocks one after the other, from beginning to end, whether anybody else does or not.
   * What they read is not worth a place in the local cache.
   */
  private void forEachScan(int blocks, Sink sink) {
    SplittableRandom random = new SplittableRandom(seed + SCAN_SEED);
    Rhythm rhythm = rhythm();
    int length = Math.min(MAX_SCAN_BLOCKS, 1 + blocks / SCAN_SHARE) * SCAN_READS;
    int left = scanReads();
    for (int scan = 0; left > 0; scan++) {
      long start = rhythm.millis(random.nextDouble());
      int first = random.nextInt(blocks);
      int ofScan = Math.min(left, length);
      for (int i = 0; i < ofScan; i++) {
        long millis = Math.min(spanMillis - 1, start + i * SCAN_READ_MILLIS);
        sink.read(millis, (first + i / SCAN_READS) % blocks, i % SCAN_READS, scan);
      }
      left -= ofScan;
    }
  }
}

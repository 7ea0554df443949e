/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.policy;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Generates a DataNode's reads that match a row of Uber's table of hot blocks (USENIX ATC '24,
 * table 1), in either of two ways that both match it and behave very differently.
 *
 * @param name for the report
 * @param reads reads in 20 hours
 * @param blocks distinct blocks in 20 hours
 * @param irmSkew Zipf exponent of independent draws
 * @param slots blocks that are active in an hour, for reads that come in sessions
 * @param slotSkew Zipf exponent over those
 */
record Host(String name, int reads, int blocks, double irmSkew, int slots, double slotSkew) {
  static final Host A = new Host("A", 13_500_000, 84_769, 1.08, 40_000, 0.86);
  static final Host B = new Host("B", 8_500_000, 31_048, 1.29, 17_500, 0.85);

  private static final int HOURS = 20;
  private static final int HOUR = 3_600_000;
  private static final int SEGMENTS = 160;
  private static final int SEGMENT_BYTES = 5 << 19;
  private static final int BLOCK_PAGES = 400;
  private static final long CAPACITY_PAGES = 4L << 20;
  private static final double READS_PER_SESSION = 8;
  private static final double MILLIS_BETWEEN_READS = 4000;
  /** Lengths of reads in KB at the quantiles below (Meta's Tectonic, as Baleen published it). */
  private static final double[] KB = {1, 1, 30, 700, 2044, 2090, 8000, 8192};
  private static final double[] QUANTILES = {0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 1};

  /** Returns this host with a fraction of its reads, blocks and capacity, same rates per block. */
  Trace irm(int scale, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Trace trace = trace("irm", scale);
    Zipf popularity = new Zipf(trace.blocks, irmSkew);
    Zipf segments = new Zipf(SEGMENTS, 0.9);
    int n = reads / scale;
    for (int i = 0; i < n; i++) {
      int at = (int) ((double) i / n * HOURS * HOUR);
      addRead(trace, at, popularity.draw(random), segments, random);
    }
    return trace;
  }

  /** Returns this host with reads in sessions over a set of active blocks that changes hourly. */
  Trace churn(int scale, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Trace trace = trace("churn", scale);
    int active = slots / scale;
    Zipf popularity = new Zipf(active, slotSkew);
    Zipf segments = new Zipf(SEGMENTS, 0.9);
    int[] blockOf = new int[active];
    for (int i = 0; i < active; i++) {
      blockOf[i] = i;
    }
    int next = active;
    double toCome = (trace.blocks - active) / (double) (HOURS - 1);
    long[] reads = new long[this.reads / scale + 1024];
    int n = 0;
    for (int hour = 0; hour < HOURS; hour++) {
      int until = hour == 0 ? active : (int) Math.min(trace.blocks, active + toCome * hour);
      for (; next < until; next++) {
        blockOf[random.nextInt(active)] = next;
      }
      double rhythm = 1 + 0.3 * Math.sin(2 * Math.PI * hour / 24);
      int quota = (int) (this.reads / scale / (double) HOURS * rhythm);
      for (int made = 0; made < quota && n < reads.length;) {
        int block = blockOf[popularity.draw(random)];
        double at = hour * (double) HOUR + random.nextDouble() * HOUR;
        do {
          reads[n++] = (long) at << 32 | block;
          made++;
          at += -Math.log(1 - random.nextDouble()) * MILLIS_BETWEEN_READS;
        } while (random.nextDouble() > 1 / READS_PER_SESSION && n < reads.length);
      }
    }
    Arrays.sort(reads, 0, n);
    for (int i = 0; i < n; i++) {
      addRead(trace, (int) (reads[i] >>> 32), (int) reads[i], segments, random);
    }
    return trace;
  }

  private Trace trace(String kind, int scale) {
    return new Trace(name + "_" + kind, blocks / scale, BLOCK_PAGES, CAPACITY_PAGES / scale,
        reads / scale);
  }

  private static void addRead(
      Trace trace, int at, int block, Zipf segments, SplittableRandom random) {
    // A permutation of the segments of each block: multiplying by an odd number that 160 has no
    // factor in common with, and adding one, both from the block's number.
    long mixed = block * 0x9E3779B97F4A7C15L >>> 20;
    int factor = MULTIPLIERS[(int) (mixed % MULTIPLIERS.length)];
    int segment = (int) ((segments.draw(random) * (long) factor + mixed % SEGMENTS) % SEGMENTS);
    int offset = segment * SEGMENT_BYTES;
    int length = (int) Math.min(length(random), (long) BLOCK_PAGES * Trace.PAGE - offset);
    trace.add(at, block, offset, length);
  }

  private static final int[] MULTIPLIERS = {1, 3, 7, 9, 11, 13, 17, 19, 21, 23, 27, 29, 31, 33, 37,
      39, 41, 43, 47, 49, 51, 53, 57, 59, 61, 63, 67, 69, 71, 73, 77, 79};

  private static long length(SplittableRandom random) {
    double at = random.nextDouble();
    int i = 1;
    while (QUANTILES[i] < at) {
      i++;
    }
    double share = (at - QUANTILES[i - 1]) / (QUANTILES[i] - QUANTILES[i - 1]);
    return Math.max(1, (long) ((KB[i - 1] + share * (KB[i] - KB[i - 1])) * 1024));
  }
}

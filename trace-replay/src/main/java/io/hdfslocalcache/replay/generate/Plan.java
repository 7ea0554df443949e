/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

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
public record Plan(Host host, Kind kind, Sizes sizes, long spanMillis, double scanShare,
    double swing, long seed) {

  /** Share of the blocks of a churning host that are active at a time. */
  private static final double ACTIVE = 0.5;
  private static final int SCAN_SEED = 17;

  private int scanReads() {
    return (int) Math.round(host.reads() * scanShare);
  }

  Rhythm rhythm() {
    return new Rhythm(spanMillis, swing);
  }

  Scans scans(int blocks) {
    return new Scans(seed + SCAN_SEED, scanReads(), blocks, rhythm(), spanMillis);
  }

  Popularity popularity(int blocks, double exponent) {
    int reads = host.reads() - scanReads();
    int slots = Math.max(host.top() + 1, (int) (host.blocksRead() * ACTIVE));
    return kind == Kind.IRM
        ? new IndependentReads(seed, reads, rhythm(), blocks, exponent)
        : new ChurningReads(seed, reads, rhythm(), spanMillis, Math.max(slots, blocks), slots,
            exponent);
  }
}

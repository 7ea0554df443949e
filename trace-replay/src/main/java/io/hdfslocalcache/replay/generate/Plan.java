/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;


/**
 * A trace to generate.
 *
 * @param host the numbers to meet
 * @param kind course of popularity
 * @param sizes sizes of reads
 * @param seed the same gives the same trace
 */
public record Plan(Host host, Kind kind, SizeMix sizes, long seed) {

  /** Length of the trace: the time of Uber's table. */
  static final long SPAN_MILLIS = 20 * 3_600_000L;
  /** Share of the reads made by scans. */
  private static final double SCAN_SHARE = 0.002;
  /** Excess over the mean rate at noon. */
  private static final double SWING = 0.3;

  /** The course of a block's popularity. */
  public enum Kind {
    /**
     * Independent reads: every read draws its block from a Zipf distribution that never changes.
     */
    IRM,
    /**
     * Churn: readers read the same block several times within a minute or so, and the hot set
     * drifts, so that most blocks are read only part of the time.
     */
    CHURN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Receives generated reads, in any order. */
  @FunctionalInterface
  interface Sink {
    /** The part of a block for reads that are no scan: any. */
    int ANY_PART = -1;

    /**
     * Receives a read.
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
  private static final int SCAN_BLOCKS = 100;
  private static final long SCAN_READ_MILLIS = 250;

  private int scanReads() {
    return (int) Math.round(host.reads() * SCAN_SHARE);
  }

  Rhythm rhythm() {
    return new Rhythm(SPAN_MILLIS, SWING);
  }

  /**
   * Generates all reads, in any order, the same each time.
   *
   * @param blocks number of blocks
   * @param exponent of the Zipf distribution of their reads
   */
  void forEachRead(int blocks, double exponent, Sink sink) {
    int reads = host.reads() - scanReads();
    if (kind == Kind.IRM) {
      forEachIndependentRead(reads, new Zipf(blocks, exponent), sink);
    } else {
      int slots = Math.max(host.top() + 1, (int) (host.blocksRead() * ACTIVE));
      new ChurningReads(seed, reads, rhythm(), SPAN_MILLIS, Math.max(slots, blocks), slots, exponent)
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
   * Scans: jobs read blocks one after the other, from beginning to end. Their bytes are not worth
   * caching.
   */
  private void forEachScan(int blocks, Sink sink) {
    SplittableRandom random = new SplittableRandom(seed + SCAN_SEED);
    Rhythm rhythm = rhythm();
    int length = Math.min(MAX_SCAN_BLOCKS, 1 + blocks / SCAN_BLOCKS) * SCAN_READS;
    int left = scanReads();
    for (int scan = 0; left > 0; scan++) {
      long start = rhythm.millis(random.nextDouble());
      int first = random.nextInt(blocks);
      int ofScan = Math.min(left, length);
      for (int i = 0; i < ofScan; i++) {
        long millis = Math.min(SPAN_MILLIS - 1, start + i * SCAN_READ_MILLIS);
        sink.read(millis, (first + i / SCAN_READS) % blocks, i % SCAN_READS, scan);
      }
      left -= ofScan;
    }
  }

  /** Distribution of read sizes: points with linear interpolation. */
  public enum SizeMix {
    /**
     * As Uber publishes for SQL (Tang et al., USENIX ATC 2024, section 2.2): over half of the reads
     * below 10 KB, over 90 % below 1 MB.
     */
    SMALL(new double[] {0, 0.30, 0.55, 0.75, 0.93, 1},
        new double[] {0.2, 2, 10, 100, 1024, 8192}),
    /** An assumption: reads of about 2 MB, as by engines that read whole column chunks. */
    LARGE(new double[] {0, 0.10, 0.25, 0.50, 0.80, 0.90, 1},
        new double[] {4, 64, 512, 2048, 2560, 8192, 8192});

    private static final int KB = 1024;

    private final double[] shares;
    private final double[] logBytes;

    SizeMix(double[] shares, double[] kilobytes) {
      this.shares = shares;
      this.logBytes = new double[kilobytes.length];
      for (int i = 0; i < logBytes.length; i++) {
        logBytes[i] = Math.log(kilobytes[i] * KB);
      }
    }

    /** @return bytes of a read. */
    long draw(SplittableRandom random) {
      double share = random.nextDouble();
      int i = 1;
      while (shares[i] <= share) {
        i++;
      }
      double within = (share - shares[i - 1]) / (shares[i] - shares[i - 1]);
      return (long) Math.exp(logBytes[i - 1] + within * (logBytes[i] - logBytes[i - 1]));
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Times of reads: more by day than by night, along a sine of 24 hours. */
  static final class Rhythm {

    private static final int STEPS = 4096;
    private static final double DAY_MILLIS = 86_400_000;

    private final double[] cumulated = new double[STEPS + 1];
    private final long spanMillis;

    /**
     * Makes a rhythm.
     *
     * @param spanMillis how long it lasts
     * @param swing excess over the mean at noon, and deficit at midnight; 0 to 1
     */
    Rhythm(long spanMillis, double swing) {
      this.spanMillis = spanMillis;
      for (int i = 0; i < STEPS; i++) {
        double time = (i + 0.5) / STEPS * spanMillis;
        cumulated[i + 1] =
            cumulated[i] + 1 - swing * Math.cos(2 * Math.PI * time / DAY_MILLIS);
      }
    }

    /**
     * Returns when a share of all reads has come.
     *
     * @param share 0 to 1, exclusively
     * @return milliseconds since the beginning
     */
    long millis(double share) {
      double target = share * cumulated[STEPS];
      int low = 0;
      int high = STEPS;
      while (high - low > 1) {
        int middle = low + high >>> 1;
        if (cumulated[middle] <= target) {
          low = middle;
        } else {
          high = middle;
        }
      }
      double within = (target - cumulated[low]) / (cumulated[high] - cumulated[low]);
      return Math.min(spanMillis - 1, (long) ((low + within) / STEPS * spanMillis));
    }
  }

  /**
   * The numbers of a host.
   *
   * @param name its name
   * @param reads reads
   * @param writes blocks written
   * @param blocksRead different blocks that are read
   * @param averageBlockBytes mean size of a block
   * @param top how many blocks are the top ones of an hour
   * @param topShare share of an hour's reads on the top ones, 0 to 1
   */
  public record Host(String name, int reads, int writes, int blocksRead, long averageBlockBytes,
      int top, double topShare) {

    private static final int TOP = 10_000;

    /**
     * The hosts in the table of Uber's "Optimizing HDFS with DataNode Local Cache for High-Density
     * HDD Adoption": reads and writes of about 20 hours.
     */
    public static final List<Host> UBER = List.of(
        new Host("host1", 13_500_000, 3_300, 84_769, 380L << 20, TOP, 0.89),
        new Host("host2", 12_800_000, 4_700, 59_376, 330L << 20, TOP, 0.94),
        new Host("host3", 11_300_000, 275_000, 49_317, 300L << 20, TOP, 0.91),
        new Host("host4", 8_500_000, 4_600, 31_048, 300L << 20, TOP, 0.99),
        new Host("host5", 14_300_000, 45_000, 79_958, 160L << 20, TOP, 0.99));

    /**
     * A host with a part of the blocks and of the reads.
     *
     * @param scale the part, more than 0
     * @throws IllegalArgumentException if no block is left
     */
    public Host scaled(double scale) {
      Host scaled = new Host(name, part(reads, scale), part(writes, scale), part(blocksRead, scale),
          averageBlockBytes, part(top, scale), topShare);
      if (!(scale > 0) || scaled.top < 1 || scaled.blocksRead <= scaled.top) {
        throw new IllegalArgumentException("--scale: too small: " + scale);
      }
      return scaled;
    }

    private static int part(int n, double scale) {
      return (int) Math.min(Integer.MAX_VALUE / 2, Math.round(n * scale));
    }
  }

  /**
   * See {@link Kind#CHURN}. There is a fixed number of slots, popular by a Zipf distribution. A
   * block that is active sits in one, until another takes its place; slots and times of the changes
   * are chosen evenly. A session is a geometric number of reads of one block.
   */
  private static final class ChurningReads {

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

    /** @return the block in a slot: its first one, or that of the last change. */
    private int block(int slot, long millis) {
      int change = firstChange[slot];
      while (change < firstChange[slot + 1] && changeMillis[change] <= millis) {
        change++;
      }
      return change == firstChange[slot] ? slot : firstChange.length - 1 + change - 1;
    }

    /** Makes all reads, in any order, the same each time. */
    void forEach(Sink sink) {
      SplittableRandom random = new SplittableRandom(seed);
      int left = reads;
      for (int session = 0; left > 0; session++) {
        double millis = rhythm.millis(random.nextDouble());
        int block = block(slots.draw(random), (long) millis);
        do {
          sink.read((long) millis, block, Sink.ANY_PART, session);
          left--;
          millis -= GAP_MILLIS * Math.log1p(-random.nextDouble());
        } while (left > 0 && millis < spanMillis && random.nextDouble() >= 1 / SESSION_READS);
      }
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.Arrays;
import java.util.SplittableRandom;

import io.hdfslocalcache.replay.generate.Plan.Host;
import io.hdfslocalcache.replay.generate.Plan.Rhythm;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.Trace.TraceBuilder;
import io.hdfslocalcache.replay.trace.TraceException;

/**
 * Generates a trace. A block has segments, some read more often than others; reads of a
 * segment begin at the same place. Blocks are full or smaller, so that the mean is the host's.
 */
public final class Generator {

  /** 2026-01-01T00:00:00Z. */
  private static final long START_MILLIS = 1_767_225_600_000L;
  private static final String BLOCK_POOL = "BP-1-10.0.0.1-1767225600000";
  private static final long FIRST_BLOCK = 1_073_741_825;
  private static final int FIRST_GENERATION = 1001;
  private static final int READERS = 200;
  private static final int READERS_PER_NET = 250;
  private static final double READER_EXPONENT = 0.8;

  private static final long SEGMENT = 5L << 19;
  private static final double SEGMENT_EXPONENT = 0.9;
  /** A prime greater than the segments of any block, so that all segments are used. */
  private static final int SEGMENT_STRIDE = 7919;
  private static final long MAX_SCAN_READ = 4 << 20;

  private static final long LARGE_BLOCK = 512 << 20;
  private static final long SMALL_BLOCK = 256 << 20;

  private final Plan plan;
  private final Calibration.Found found;
  private final TraceBuilder builder = new TraceBuilder();
  private final SplittableRandom random;
  private final Zipf readers = new Zipf(READERS, READER_EXPONENT);
  private final Zipf segments;
  private final int[] replicas;
  private final int[] order;
  private final long fullBlock;

  private Generator(Plan plan, Calibration.Found found) {
    this.plan = plan;
    this.found = found;
    this.random = new SplittableRandom(plan.seed() + 29);
    long average = plan.host().averageBlockBytes();
    this.fullBlock = average > SMALL_BLOCK * 3 / 4 ? LARGE_BLOCK : SMALL_BLOCK;
    this.segments = new Zipf((int) (fullBlock / SEGMENT), SEGMENT_EXPONENT);
    int blocks = 2 * found.blocks() + plan.host().blocksRead();
    this.replicas = new int[blocks + plan.host().writes()];
    Arrays.fill(replicas, -1);
    this.order = shuffled(blocks);
  }

  /**
   * Generates a trace.
   *
   * @throws TraceException if no trace with these numbers is found
   */
  public static Trace generate(Plan plan) throws TraceException {
    return new Generator(plan, new Calibration(plan).find()).generate();
  }

  private int[] shuffled(int n) {
    SplittableRandom shuffle = new SplittableRandom(plan.seed() + 31);
    int[] numbers = new int[n];
    for (int i = 0; i < n; i++) {
      int at = shuffle.nextInt(i + 1);
      numbers[i] = numbers[at];
      numbers[at] = i;
    }
    return numbers;
  }

  private Trace generate() {
    int[] reader = new int[READERS];
    for (int i = 0; i < READERS; i++) {
      reader[i] = builder.reader("10.0." + i / READERS_PER_NET + "." + (1 + i % READERS_PER_NET));
    }
    plan.forEachRead(found.blocks(), found.exponent(), (millis, block, part, session) -> {
      if (part == Plan.Sink.ANY_PART) {
        read(millis, block, reader[readerOf(session)]);
      } else {
        scan(millis, block, part, reader[session % READERS]);
      }
    });
    Rhythm rhythm = plan.rhythm();
    for (int i = 0; i < plan.host().writes(); i++) {
      int replica = replica(replicas.length - 1 - i);
      builder.add(Op.WRITE, START_MILLIS + rhythm.millis(random.nextDouble()), replica, 0,
          blockBytes(replicas.length - 1 - i), reader[random.nextInt(READERS)]);
    }
    return builder.build();
  }

  /** All reads of a session come from one reader. */
  private int readerOf(int session) {
    return readers.draw(new SplittableRandom(plan.seed() ^ session * 0x9E3779B97F4A7C15L));
  }

  private void read(long millis, int block, int reader) {
    long bytes = blockBytes(block);
    int count = (int) Math.max(1, bytes / SEGMENT);
    long rank = segments.draw(random);
    long segment = (rank * SEGMENT_STRIDE + hash(block, 1)) % count;
    long offset = Math.min(bytes - 1, segment * SEGMENT + hash(block, segment + 2) % SEGMENT);
    long length = Math.min(plan.sizes().draw(random), bytes - offset);
    builder.add(Op.READ, START_MILLIS + millis, replica(block), offset, length, reader);
  }

  private void scan(long millis, int block, int part, int reader) {
    long bytes = blockBytes(block);
    long offset = bytes / Plan.SCAN_READS * part;
    long length = Math.min(MAX_SCAN_READ, bytes / Plan.SCAN_READS);
    builder.add(Op.READ, START_MILLIS + millis, replica(block), offset, length, reader);
  }

  private int replica(int block) {
    if (replicas[block] < 0) {
      int number = block < order.length ? order[block] : block;
      replicas[block] = builder.replica(
          new Replica(BLOCK_POOL, FIRST_BLOCK + number, FIRST_GENERATION + number));
      builder.atLeast(replicas[block], blockBytes(block));
    }
    return replicas[block];
  }

  /** Enough blocks are full to meet the mean; the others have any size. */
  private long blockBytes(int block) {
    double full = Math.max(0,
        (2.0 * plan.host().averageBlockBytes() - fullBlock) / fullBlock);
    long hash = hash(block, 0);
    double share = (hash & 0xFFFFFF) / (double) (1 << 24);
    return share < full ? fullBlock : 1 + (hash >>> 24) % fullBlock;
  }

  private long hash(long block, long salt) {
    return new SplittableRandom(plan.seed() * 31 + block * 1_000_003 + salt).nextLong()
        >>> 1;
  }

  /**
   * Finds the number of blocks and the skew of their popularity with which a trace has its host's
   * numbers: generates reads repeatedly without writing them, and compares the numbers.
   */
  private static final class Calibration {

    /** Maximum number of attempts. */
    private static final int MAX_ROUNDS = 25;

    private static final double SHARE_TOLERANCE = 0.003;
    private static final double BLOCKS_TOLERANCE = 0.005;
    private static final double MIN_BLOCKS_TOLERANCE = 2;
    /** Accepted tolerances if there is nothing better: 1.5 points. */
    private static final double STILL_GOOD = 5;
    private static final long HOUR_MILLIS = 3_600_000;
    /** Change of the share's logit with the exponent, about; learned on the way. */
    private static final double FIRST_SLOPE = 8;
    private static final double MIN_SLOPE = 2;
    private static final double MAX_SLOPE = 40;
    private static final double MAX_STEP = 0.3;
    /** Gives up with more than so many times the blocks read. */
    private static final int MAX_BLOCKS = 10;

    private final Plan plan;
    private int blocks;
    private double exponent = 1;
    private double slope = FIRST_SLOPE;
    private double lastExponent = Double.NaN;
    private double lastLogit;

    Calibration(Plan plan) {
      this.plan = plan;
      this.blocks = plan.host().blocksRead();
    }

    /**
     * The result.
     *
     * @param blocks how many blocks there are
     * @param exponent of the Zipf distribution
     */
    record Found(int blocks, double exponent) {
    }

    /** The numbers of a generated trace. */
    private record Numbers(int blocksRead, double topShare) {
    }

    /**
     * Finds it.
     *
     * @throws TraceException if no such trace is found
     */
    Found find() throws TraceException {
      Numbers numbers = null;
      Found nearest = null;
      double least = Double.MAX_VALUE;
      int most = MAX_BLOCKS * plan.host().blocksRead();
      for (int round = 0; round < MAX_ROUNDS && blocks <= most && least > 1; round++) {
        numbers = tryOut();
        double distance = distance(numbers);
        if (distance < least) {
          least = distance;
          nearest = new Found(blocks, exponent);
        }
        adjust(numbers);
      }
      if (least > STILL_GOOD) {
        throw new TraceException("no " + plan.kind() + " trace found with the numbers of "
            + plan.host().name() + "; the last had " + numbers.blocksRead + " blocks read and "
            + numbers.topShare + " of an hour's reads on the top ones");
      }
      return nearest;
    }

    /** @return distance of numbers from the host's, in tolerances. */
    private double distance(Numbers numbers) {
      Host host = plan.host();
      double blocksTolerance = Math.max(MIN_BLOCKS_TOLERANCE, BLOCKS_TOLERANCE * host.blocksRead());
      return Math.max(Math.abs(host.topShare() - numbers.topShare) / SHARE_TOLERANCE,
          Math.abs(host.blocksRead() - numbers.blocksRead) / blocksTolerance);
    }

    private void adjust(Numbers numbers) {
      double logit = logit(numbers.topShare);
      if (Math.abs(exponent - lastExponent) > 1e-4) {
        double seen = (logit - lastLogit) / (exponent - lastExponent);
        slope = Math.max(MIN_SLOPE, Math.min(MAX_SLOPE, seen));
      }
      lastExponent = exponent;
      lastLogit = logit;
      double step = (logit(plan.host().topShare()) - logit) / slope;
      exponent = Math.max(0.05, exponent + Math.max(-MAX_STEP, Math.min(MAX_STEP, step)));
      double blocksRatio = (double) plan.host().blocksRead() / numbers.blocksRead;
      blocks = (int) Math.max(plan.host().top() + 1,
          Math.round(blocks * Math.max(0.5, Math.min(2, blocksRatio))));
    }

    private static double logit(double share) {
      double inside = Math.max(1e-6, Math.min(1 - 1e-6, share));
      return Math.log(inside / (1 - inside));
    }

    private Numbers tryOut() {
      int hours = (int) (Plan.SPAN_MILLIS / HOUR_MILLIS) + 1;
      int[][] counts = new int[hours][2 * blocks + plan.host().blocksRead()];
      plan.forEachRead(blocks, exponent,
          (millis, block, part, session) -> counts[(int) (millis / HOUR_MILLIS)][block]++);
      return numbers(counts);
    }

    private Numbers numbers(int[][] counts) {
      boolean[] read = new boolean[counts[0].length];
      long all = 0;
      long onTop = 0;
      for (int hour = 0; hour < counts.length; hour++) {
        for (int block = 0; block < read.length; block++) {
          read[block] |= counts[hour][block] > 0;
        }
        if ((hour + 1) * HOUR_MILLIS <= Plan.SPAN_MILLIS) {
          int[] sorted = counts[hour];
          Arrays.parallelSort(sorted);
          all += Arrays.stream(sorted).asLongStream().sum();
          onTop += Arrays.stream(sorted, sorted.length - plan.host().top(), sorted.length)
              .asLongStream().sum();
        }
      }
      int blocksRead = 0;
      for (boolean one : read) {
        blocksRead += one ? 1 : 0;
      }
      return new Numbers(blocksRead, (double) onTop / all);
    }
  }
}

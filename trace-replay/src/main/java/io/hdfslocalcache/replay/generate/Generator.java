/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.Arrays;
import java.util.SplittableRandom;

import io.hdfslocalcache.replay.generate.Plan.Rhythm;
import io.hdfslocalcache.replay.stat.Zipf;
import io.hdfslocalcache.replay.trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceBuilder;
import io.hdfslocalcache.replay.trace.TraceException;

/**
 * Makes a trace. A block has segments, of which some are read more often than others; reads of a
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
  /** A prime greater than the segments of any block, so that all of them have their turn. */
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
   * Makes a trace.
   *
   * @throws TraceException if no trace is found that has the numbers
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

  /** As many blocks are full as make up the mean; the others are of any size. */
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
}

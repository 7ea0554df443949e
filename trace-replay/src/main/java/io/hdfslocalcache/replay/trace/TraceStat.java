/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Trace.Access;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;

/**
 * The figures of a trace. The first are the columns of the table in Uber's description of its
 * DataNode local cache ("Optimizing HDFS with DataNode Local Cache for High-Density HDD Adoption").
 *
 * @param start milliseconds since 1970 of the first access
 * @param hours hours from the first access to the last
 * @param reads number of reads through the DataNode
 * @param writes number of blocks written
 * @param blocks different blocks that were read or written
 * @param blocksRead different blocks that were read
 * @param averageBlockBytes mean size of the blocks read; for a block of unknown size, the end of
 *     its last read
 * @param top share of an hour's reads on the blocks read most in it
 * @param blocksReadOnce share of the blocks read that were read once, 0 to 1
 * @param readBytes bytes that were read
 * @param shortCircuit blocks that clients opened themselves
 * @param readers number of different readers; 0 if unknown
 * @param sizes sizes of reads
 * @param outcomes share of the reads by outcome in a local cache, as far as known
 */
public record TraceStat(long start, double hours, long reads, long writes, long blocks,
    long blocksRead, double averageBlockBytes, TopShare top,
    double blocksReadOnce, long readBytes, long shortCircuit, int readers, ReadSizes sizes,
    Map<String, Double> outcomes) {

  private static final double HOUR_MILLIS = 3_600_000;
  private static final long MINUTE_MILLIS = 60_000;

  /**
   * Counts a trace.
   *
   * @param trace the trace
   * @param top number of top blocks
   * @throws TraceException if there is no read in it
   */
  public static TraceStat of(Trace trace, int top) throws TraceException {
    List<Access> reads = trace.accesses().stream().filter(Access::isRead).toList();
    if (reads.isEmpty()) {
      throw new TraceException("no reads in the trace");
    }
    int[] blocks = trace.blocks();
    long[] readsOf = new long[Arrays.stream(blocks).max().orElse(0) + 1];
    long[] bytesOf = new long[readsOf.length];
    BitSet touched = new BitSet();
    for (int i = 0; i < blocks.length; i++) {
      bytesOf[blocks[i]] = Math.max(bytesOf[blocks[i]], trace.replicaBytes()[i]);
    }
    for (Access access : trace.accesses()) {
      int block = blocks[access.replica()];
      touched.set(block, touched.get(block) || access.op() != Op.SHORT_CIRCUIT);
      readsOf[block] += access.isRead() ? 1 : 0;
    }
    long blocksRead = Arrays.stream(readsOf).filter(count -> count > 0).count();
    long[] lengths = reads.stream().mapToLong(Access::length).toArray();
    return new TraceStat(trace.startMillis(), trace.spanMillis() / HOUR_MILLIS, reads.size(),
        count(trace, Op.WRITE), touched.cardinality(), blocksRead,
        IntStream.range(0, readsOf.length).filter(block -> readsOf[block] > 0)
            .mapToLong(block -> bytesOf[block]).average().orElse(0),
        TopShare.of(trace, blocks, readsOf.length, top),
        (double) Arrays.stream(readsOf).filter(count -> count == 1).count() / blocksRead,
        Arrays.stream(lengths).sum(), count(trace, Op.SHORT_CIRCUIT),
        trace.hasReaders() ? trace.readers().size() : 0, ReadSizes.of(lengths), outcomes(reads));
  }

  private static long count(Trace trace, Op op) {
    return trace.accesses().stream().filter(access -> access.op() == op).count();
  }

  private static Map<String, Double> outcomes(List<Access> reads) {
    Map<String, Double> shares = new LinkedHashMap<>();
    for (ReadOutcome outcome : ReadOutcome.values()) {
      long n = reads.stream().filter(read -> read.outcome() == outcome).count();
      if (n > 0) {
        shares.put(outcome.name().toLowerCase(Locale.ROOT), (double) n / reads.size());
      }
    }
    return shares;
  }

  /**
   * Share of an hour's reads on the most-read blocks of that hour, 0 to 1. The hours begin with the
   * trace. An incomplete last hour is left out unless it is the only one.
   *
   * @param blocks number of these blocks
   * @param reads share of the reads, over all hours together
   * @param hours number of hours
   */
  public record TopShare(int blocks, double reads, int hours) {

    private static TopShare of(Trace trace, int[] blocks, int number, int top) {
      long all = 0;
      long onTop = 0;
      int hours = 0;
      long end = trace.startMillis();
      long last = trace.startMillis() + trace.spanMillis();
      for (int i = 0; i < trace.size();) {
        // Nothing may have been traced for years.
        end += HOUR_MILLIS
            * Math.ceil((trace.accesses().get(i).timeMillis() + 1 - end) / HOUR_MILLIS);
        long[] reads = new long[number];
        for (; i < trace.size() && trace.accesses().get(i).timeMillis() < end; i++) {
          Access access = trace.accesses().get(i);
          reads[blocks[access.replica()]] += access.isRead() ? 1 : 0;
        }
        if (i < trace.size() || hours == 0 || end - last < MINUTE_MILLIS) {
          Arrays.parallelSort(reads);
          long ofHour = Arrays.stream(reads).sum();
          hours += ofHour > 0 ? 1 : 0;
          all += ofHour;
          onTop += Arrays.stream(reads, Math.max(0, number - top), number).sum();
        }
      }
      return new TopShare(top, all == 0 ? 0 : (double) onTop / all, hours);
    }
  }

  /**
   * Sizes of reads.
   *
   * @param mean mean, in bytes
   * @param below share of the reads, 0 to 1, of fewer bytes than this, such as {@code 1m}
   */
  public record ReadSizes(double mean, Map<String, Double> below) {

    private static final String[] LIMITS = {"1k", "10k", "100k", "1m", "10m", "100m"};

    /** Counts sizes. @param sizes of at least one read */
    static ReadSizes of(long[] sizes) {
      Map<String, Double> below = new LinkedHashMap<>();
      for (String name : LIMITS) {
        long limit = Text.parseBytes(name);
        long smaller = Arrays.stream(sizes).filter(size -> size < limit).count();
        below.put(name, (double) smaller / sizes.length);
      }
      return new ReadSizes(Arrays.stream(sizes).average().orElse(0), below);
    }
  }

  /** @return the numbers for people. */
  public String text() {
    Table table = new Table("trace", "");
    table.row("from", Instant.ofEpochMilli(start));
    table.row("hours", Text.format("%.1f", hours));
    table.row("reads", Text.count(reads));
    table.row("writes", Text.count(writes));
    table.row("blocks", Text.count(blocks));
    table.row("blocks read", Text.count(blocksRead));
    table.row("blocks read once", Text.percent(blocksReadOnce) + " of the blocks read");
    table.row("average block size", Sizes.text(Math.round(averageBlockBytes)));
    table.row("reads on top " + Text.count(top.blocks()) + " blocks, 1 hour",
        Text.percent(top.reads()) + " in " + Text.count(top.hours(), "hour"));
    table.row("bytes read", Sizes.text(readBytes));
    table.row("short-circuit opens", Text.count(shortCircuit));
    table.row("readers", readers == 0 ? "unknown" : Text.count(readers));
    table.row("bytes of a read, mean", Sizes.text(Math.round(sizes.mean())));
    table.row("bytes of a read, shares", "<" + list(sizes.below())
        .replace("  ", "  <"));
    if (!outcomes.isEmpty()) {
      table.row("reads in the local cache", list(outcomes));
    }
    return table.text();
  }

  private static String list(Map<String, Double> shares) {
    return shares.entrySet().stream()
        .map(each -> each.getKey() + " " + Text.percent(each.getValue()))
        .collect(Collectors.joining("  "));
  }
}

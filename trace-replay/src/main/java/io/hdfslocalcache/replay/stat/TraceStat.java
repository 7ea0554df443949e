/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.replay.trace.Op;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.TraceException;

/**
 * A trace in numbers. The first of them are the columns of the table in Uber's description of its
 * DataNode local cache ("Optimizing HDFS with DataNode Local Cache for High-Density HDD Adoption").
 *
 * @param start milliseconds since 1970 of the first access
 * @param hours hours from the first access to the last
 * @param reads number of reads through the DataNode
 * @param writes number of blocks written
 * @param blocks different blocks that were read or written
 * @param blocksRead different blocks that were read
 * @param averageBlockBytes mean size of the blocks that were read; of a block of which the trace
 *     does not tell the size, the end of what was read of it
 * @param top share of an hour's reads on the blocks read most in it
 * @param zipfExponent exponent of the Zipf distribution that fits the reads of the blocks best
 * @param blocksReadOnce share of the blocks read that were read once, 0 to 1
 * @param readBytes bytes that were read
 * @param shortCircuit blocks that clients opened themselves
 * @param readers number of different readers; 0 if the trace does not tell
 * @param sizes how much a read asks for
 * @param outcomes share of the reads by what a local cache made of them, as far as the trace tells
 */
public record TraceStat(long start, double hours, long reads, long writes, long blocks,
    long blocksRead, double averageBlockBytes, TopShare top, double zipfExponent,
    double blocksReadOnce, long readBytes, long shortCircuit, int readers, ReadSizes sizes,
    Map<String, Double> outcomes) {

  private static final double HOUR_MILLIS = 3_600_000;

  /**
   * Counts a trace.
   *
   * @param trace the trace
   * @param top how many blocks are the top ones
   * @throws TraceException if there is no read in it
   */
  public static TraceStat of(Trace trace, int top) throws TraceException {
    Counts counts = new Counts(trace);
    if (counts.reads == 0) {
      throw new TraceException("no reads in the trace");
    }
    long[] descending = counts.descending();
    return new TraceStat(trace.startMillis(), trace.spanMillis() / HOUR_MILLIS, counts.reads,
        counts.ops[Op.WRITE.ordinal()], counts.blocksTouched(), descending.length,
        counts.averageBlockBytes(), new HotBlocks(trace, counts.blocks, top).count(),
        ZipfFit.exponent(descending), once(descending), counts.bytes,
        counts.ops[Op.SHORT_CIRCUIT.ordinal()], trace.hasReaders() ? trace.readers() : 0,
        ReadSizes.of(counts.sizes()), counts.outcomes());
  }

  private static double once(long[] descending) {
    return (double) Arrays.stream(descending).filter(count -> count == 1).count()
        / descending.length;
  }

  /** One pass over the trace. */
  private static final class Counts {
    private final Trace trace;
    private final Blocks blocks;
    private final long[] ops = new long[Op.values().length];
    private final long[] readsOfBlock;
    private final boolean[] touched;
    private final long[] ofOutcome = new long[ReadOutcome.values().length];
    private final long reads;
    private long bytes;

    Counts(Trace trace) {
      this.trace = trace;
      this.blocks = new Blocks(trace);
      this.readsOfBlock = new long[blocks.size()];
      this.touched = new boolean[blocks.size()];
      for (int i = 0; i < trace.size(); i++) {
        count(i);
      }
      this.reads = ops[Op.READ.ordinal()];
    }

    private void count(ReadOutcome outcome) {
      if (outcome != null) {
        ofOutcome[outcome.ordinal()]++;
      }
    }

    private void count(int i) {
      Op op = trace.op(i);
      ops[op.ordinal()]++;
      int block = blocks.of(trace.replica(i));
      if (op == Op.READ) {
        readsOfBlock[block]++;
        bytes += trace.length(i);
        count(trace.outcome(i));
      }
      touched[block] |= op != Op.SHORT_CIRCUIT;
    }

    Map<String, Double> outcomes() {
      Map<String, Double> shares = new LinkedHashMap<>();
      for (ReadOutcome outcome : ReadOutcome.values()) {
        long n = ofOutcome[outcome.ordinal()];
        if (n > 0) {
          shares.put(outcome.name().toLowerCase(Locale.ROOT), (double) n / reads);
        }
      }
      return shares;
    }

    long blocksTouched() {
      long n = 0;
      for (boolean one : touched) {
        n += one ? 1 : 0;
      }
      return n;
    }

    long[] descending() {
      long[] sorted = Arrays.stream(readsOfBlock).filter(count -> count > 0).toArray();
      Arrays.parallelSort(sorted);
      for (int i = 0; i < sorted.length / 2; i++) {
        long swap = sorted[i];
        sorted[i] = sorted[sorted.length - 1 - i];
        sorted[sorted.length - 1 - i] = swap;
      }
      return sorted;
    }

    double averageBlockBytes() {
      long[] size = new long[blocks.size()];
      for (int i = 0; i < trace.replicas(); i++) {
        size[blocks.of(i)] = Math.max(size[blocks.of(i)], trace.replicaBytes(i));
      }
      long n = 0;
      double sum = 0;
      for (int i = 0; i < size.length; i++) {
        n += readsOfBlock[i] > 0 ? 1 : 0;
        sum += readsOfBlock[i] > 0 ? size[i] : 0;
      }
      return sum / n;
    }

    long[] sizes() {
      long[] sizes = new long[(int) reads];
      int n = 0;
      for (int i = 0; i < trace.size(); i++) {
        if (trace.isRead(i)) {
          sizes[n++] = trace.length(i);
        }
      }
      return sizes;
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.List;
import java.util.function.LongConsumer;

import io.hdfslocalcache.replay.simulate.Fleet.Part;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Access;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceException;

/**
 * Plays a trace as if its blocks were block groups of erasure-coded files. There are as many
 * DataNodes as a group has internal blocks, each with an SSD, a limiter and HDDs of its own, and
 * the groups begin on each of them in turn. A client's read makes an internal read on each DataNode
 * that has some of its bytes. It is as slow as the slowest of these, so what counts is whether all
 * of them are hits.
 */
public final class StripedSimulation {

  /** HDFS tells the internal blocks of a group apart by as many bits of the id. */
  private static final int INDEX_BITS = 4;

  private final Striping striping;
  private final boolean wholeStripes;
  private final Fleet fleet;
  /** Number of internal reads, by read. */
  private final byte[] internalReads;

  /**
   * Spreads the reads of a trace.
   *
   * @param wholeStripes whether reads go on to the end of their stripe, as those of clients do that
   *     seek and read; positioned reads do not
   * @param disk the HDDs of each DataNode
   * @throws TraceException if a DataNode has nothing to read
   */
  public StripedSimulation(Trace trace, Striping striping, boolean wholeStripes, Disk disk)
      throws TraceException {
    this.striping = striping;
    this.wholeStripes = wholeStripes;
    this.fleet = new Fleet(striping.members(), disk);
    List<Access> reads = trace.accesses().stream()
        .filter(access -> access.isRead() && access.length() > 0).toList();
    this.internalReads = new byte[reads.size()];
    for (int read = 0; read < internalReads.length; read++) {
      spread(trace, reads.get(read), read);
    }
    fleet.ready();
    for (int i = 0; i < fleet.size(); i++) {
      if (fleet.reads(i) == 0) {
        throw new TraceException("too few blocks are read to reach all "
            + striping.members() + " DataNodes");
      }
    }
  }

  private void spread(Trace trace, Access access, int read) {
    long groupBytes = trace.replicaBytes()[access.replica()];
    long end = access.offset() + access.length();
    end = wholeStripes ? Math.min(groupBytes, striping.endOfStripe(end)) : end;
    for (int index = 0; index < striping.data(); index++) {
      long from = striping.before(index, access.offset());
      long to = striping.before(index, end);
      if (from < to) {
        Replica group = trace.replica(access);
        Replica block = new Replica(group.blockPool(),
            (group.blockId() << INDEX_BITS) + index, group.generationStamp());
        fleet.handOut((access.replica() + index) % fleet.size(), read, access.timeMillis(),
            trace.readers().get(access.reader()),
            new Part(block, striping.before(index, groupBytes), from, to - from));
        internalReads[read]++;
      }
    }
  }

  /** @return reads of all DataNodes: how much work it is to play the trace. */
  public long size() {
    return fleet.reads();
  }

  /**
   * Plays the trace.
   *
   * @param setting of every DataNode
   * @param progress is told now and then how many reads of DataNodes have been simulated
   */
  public StripedResult run(Setting setting, LongConsumer progress) throws TraceException {
    byte[] hits = new byte[internalReads.length];
    long[] bytes = new long[1];
    long[] hitBytes = new long[1];
    fleet.play(setting, (dataNode, simulation, result) -> {
      simulation.counts.hitReads.stream()
          .forEach(internal -> hits[fleet.readOf(dataNode, internal)]++);
      bytes[0] += simulation.counts.bytes;
      hitBytes[0] += simulation.counts.hitBytes;
    }, progress);
    return StripedResult.of(
        setting, (double) hitBytes[0] / bytes[0], internalReads, hits, striping.data());
  }
}

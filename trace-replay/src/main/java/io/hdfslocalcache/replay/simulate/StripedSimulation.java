/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Access;
import io.hdfslocalcache.replay.trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceBuilder;
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

  /** One DataNode, with its internal reads. */
  private static final class DataNode {
    private final TraceBuilder internalReads = new TraceBuilder();
    /** Number of the client's read, by internal read. */
    private final IntStream.Builder reads = IntStream.builder();
    private Trace trace;
    private int[] readOf;
  }

  private final Striping striping;
  private final boolean wholeStripes;
  private final Disk disk;
  private final List<DataNode> dataNodes = new ArrayList<>();
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
    this.disk = disk;
    IntStream.range(0, striping.members()).forEach(i -> dataNodes.add(new DataNode()));
    List<Access> reads = trace.accesses().stream()
        .filter(access -> access.isRead() && access.length() > 0).toList();
    this.internalReads = new byte[reads.size()];
    for (int read = 0; read < internalReads.length; read++) {
      spread(trace, reads.get(read), read);
    }
    for (DataNode dataNode : dataNodes) {
      dataNode.readOf = dataNode.reads.build().toArray();
      if (dataNode.readOf.length == 0) {
        throw new TraceException("too few blocks are read to reach all "
            + striping.members() + " DataNodes");
      }
      dataNode.trace = dataNode.internalReads.build();
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
        DataNode dataNode = dataNodes.get((access.replica() + index) % dataNodes.size());
        Replica group = trace.replica(access);
        int block = dataNode.internalReads.replica(new Replica(group.blockPool(),
            (group.blockId() << INDEX_BITS) + index, group.generationStamp()));
        dataNode.internalReads.atLeast(block, striping.before(index, groupBytes));
        int reader = dataNode.internalReads.reader(trace.readers().get(access.reader()));
        dataNode.internalReads.add(
            Op.READ, access.timeMillis(), block, from, to - from, reader);
        dataNode.reads.add(read);
        internalReads[read]++;
      }
    }
  }

  /** @return reads of all DataNodes: how much work it is to play the trace. */
  public long size() {
    return dataNodes.stream().mapToLong(dataNode -> dataNode.readOf.length).sum();
  }

  /**
   * Plays the trace.
   *
   * @param setting of every DataNode
   * @param progress is told now and then how many reads of DataNodes have been simulated
   */
  public StripedResult run(Setting setting, LongConsumer progress) throws TraceException {
    byte[] hits = new byte[internalReads.length];
    long bytes = 0;
    long hitBytes = 0;
    for (DataNode dataNode : dataNodes) {
      PageTrace pages = PageTrace.of(dataNode.trace, setting.pageSize());
      Simulation simulation = new DemandFilled(setting, pages, disk);
      simulation.run(DiskLoad.withoutLocalCache(pages, disk), progress);
      simulation.counts.hitReads.stream().forEach(internal -> hits[dataNode.readOf[internal]]++);
      bytes += simulation.counts.bytes;
      hitBytes += simulation.counts.hitBytes;
    }
    return StripedResult.of(
        setting, (double) hitBytes / bytes, internalReads, hits, striping.data());
  }
}

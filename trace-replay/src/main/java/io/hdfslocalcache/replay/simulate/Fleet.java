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
import io.hdfslocalcache.replay.trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceBuilder;
import io.hdfslocalcache.replay.trace.TraceException;

/**
 * DataNodes side by side, each with an SSD, a limiter and HDDs of its own. First the clients' reads
 * are handed out to them; then each plays its own.
 */
final class Fleet {

  /**
   * What a read wants of a DataNode.
   *
   * @param replica what the DataNode has of the block
   * @param replicaBytes bytes in it
   * @param offset first byte
   * @param length bytes, more than 0
   */
  record Part(Replica replica, long replicaBytes, long offset, long length) {
  }

  /** Is told what each DataNode has done, if it had a read. */
  @FunctionalInterface
  interface Listener {
    void played(int dataNode, DemandFilled simulation, Result result);
  }

  private static final class DataNode {
    private final TraceBuilder served = new TraceBuilder();
    /** Number of the client's read, by the number of the DataNode's own. */
    private final IntStream.Builder reads = IntStream.builder();
    private Trace trace;
    private int[] readOf = {};
  }

  private final Disk disk;
  private final List<DataNode> dataNodes = new ArrayList<>();

  /** Makes DataNodes without reads. @param disk the HDDs of each */
  Fleet(int size, Disk disk) {
    this.disk = disk;
    IntStream.range(0, size).forEach(i -> dataNodes.add(new DataNode()));
  }

  /** @return number of DataNodes. */
  int size() {
    return dataNodes.size();
  }

  /**
   * Hands a read out, no earlier than those before.
   *
   * @param read number of the client's read
   * @param millis when it began, in milliseconds since 1970
   */
  void handOut(int dataNode, int read, long millis, String reader, Part part) {
    TraceBuilder served = dataNodes.get(dataNode).served;
    int replica = served.replica(part.replica);
    served.atLeast(replica, part.replicaBytes);
    served.add(Op.READ, millis, replica, part.offset, part.length, served.reader(reader));
    dataNodes.get(dataNode).reads.add(read);
  }

  /** All DataNodes are there as long as a trace: figures of one mean the same as of another. */
  void lastAsLongAs(Trace whole) {
    for (DataNode dataNode : dataNodes) {
      if (dataNode.served.size() > 0) {
        // Reads of no bytes only say when a trace begins and ends.
        dataNode.served.add(Op.READ, whole.startMillis(), 0, 0, 0, 0);
        dataNode.served.add(Op.READ, whole.startMillis() + whole.spanMillis(), 0, 0, 0, 0);
      }
    }
  }

  /** All reads have been handed out. */
  void ready() {
    for (DataNode dataNode : dataNodes) {
      dataNode.readOf = dataNode.reads.build().toArray();
      dataNode.trace = dataNode.readOf.length == 0 ? null : dataNode.served.build();
    }
  }

  /** @return number of reads of a DataNode. */
  int reads(int dataNode) {
    return dataNodes.get(dataNode).readOf.length;
  }

  /** @return reads of all DataNodes: how much work it is to play them. */
  long reads() {
    return dataNodes.stream().mapToLong(dataNode -> dataNode.readOf.length).sum();
  }

  /** @return number of the client's read to which a DataNode's belongs. */
  int readOf(int dataNode, int own) {
    return dataNodes.get(dataNode).readOf[own];
  }

  /**
   * Lets every DataNode play its reads.
   *
   * @param setting of each
   * @param progress is told now and then how many reads of DataNodes have been simulated
   */
  void play(Setting setting, Listener listener, LongConsumer progress) throws TraceException {
    for (int i = 0; i < dataNodes.size(); i++) {
      if (reads(i) > 0) {
        PageTrace pages = PageTrace.of(dataNodes.get(i).trace, setting.pageSize());
        DemandFilled simulation = new DemandFilled(setting, pages, disk);
        Result result = simulation.run(DiskLoad.withoutLocalCache(pages, disk), progress);
        listener.played(i, simulation, result);
      }
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** What the local caches of all live DataNodes count between two moments, by {@code /jmx}. */
public final class ClusterCounters {

  /** The embedded cluster's figures may be as old as this; others', by default, 10 seconds. */
  public static final long AGE_MILLIS = 600;

  private final List<DataNodeMetrics> dataNodes = new ArrayList<>();
  private final Map<DataNodeMetrics, Counters> first = new HashMap<>();

  /** Nothing is asked yet. */
  public ClusterCounters(DistributedFileSystem hdfs) throws IOException {
    for (DatanodeInfo node : hdfs.getDataNodeStats(DatanodeReportType.LIVE)) {
      dataNodes.add(new DataNodeMetrics(URI.create("http://" + node.getInfoAddr())));
    }
  }

  /**
   * What was counted.
   *
   * @param counters of all DataNodes together; empty if none told
   * @param silent DataNodes that did not tell at both moments: without a local cache, not
   *     reachable, or of another version
   */
  public record Counted(Optional<Counters> counters, int silent) {
  }

  /** Begins at this moment. Called again, it begins then. */
  public synchronized void begin() {
    first.clear();
    dataNodes.forEach(dataNode ->
        ask(dataNode).ifPresent(counters -> first.put(dataNode, counters)));
  }

  /** @return what was counted since the beginning. */
  public synchronized Counted end() {
    List<Counters> told = new ArrayList<>();
    for (DataNodeMetrics dataNode : dataNodes) {
      Counters before = first.get(dataNode);
      if (before != null) {
        // A DataNode that was restarted begins at 0.
        ask(dataNode).ifPresent(now ->
            told.add(now.reads() < before.reads() ? now : now.since(before)));
      }
    }
    return new Counted(told.stream().reduce(Counters::plus), dataNodes.size() - told.size());
  }

  private static Optional<Counters> ask(DataNodeMetrics dataNode) {
    try {
      Counters now = dataNode.now();
      // Another version may lack a metric.
      now.reads();
      now.offload();
      return Optional.of(now);
    } catch (IOException | IllegalStateException e) {
      return Optional.empty();
    }
  }
}

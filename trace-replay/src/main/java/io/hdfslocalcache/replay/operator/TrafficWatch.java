/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** Asks all DataNodes every second what their local caches have counted, by their {@code /jmx}. */
public final class TrafficWatch implements AutoCloseable {

  /** The embedded cluster's figures may be as old as this; others', by default, 10 seconds. */
  public static final long AGE_MILLIS = 600;
  private static final long PERIOD_MILLIS = 1000;
  private static final Counters NOTHING = new Counters(Map.of());

  private final Map<DataNodeMetrics, Counters> dataNodes = new LinkedHashMap<>();
  private final List<Traffic.Sample> samples = new ArrayList<>();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
      task -> {
        Thread thread = new Thread(task, "traffic-watch");
        thread.setDaemon(true);
        return thread;
      });
  private final long startMillis;

  /** @param startMillis when the readers begin, in milliseconds since 1970 */
  public TrafficWatch(DistributedFileSystem hdfs, long startMillis) throws IOException {
    this.startMillis = startMillis;
    for (DatanodeInfo node : hdfs.getDataNodeStats(DatanodeReportType.LIVE)) {
      dataNodes.put(new DataNodeMetrics(URI.create("http://" + node.getInfoAddr())), NOTHING);
    }
    timer.scheduleWithFixedDelay(this::sample, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private synchronized void sample() {
    long now = System.currentTimeMillis() - startMillis;
    long fromLocalCache = 0;
    long fromReplicas = 0;
    long admitted = 0;
    long hits = 0;
    boolean known = false;
    for (Map.Entry<DataNodeMetrics, Counters> node : dataNodes.entrySet()) {
      try {
        node.setValue(node.getKey().now());
      } catch (IOException e) {
        // What it told last still counts.
      }
      Counters counters = node.getValue();
      if (counters != NOTHING) {
        known = true;
        fromLocalCache += counters.bytesFromSsd();
        fromReplicas += counters.bytesFromDisk();
        hits += counters.of(ReadOutcome.HIT);
        admitted += counters.of(ReadOutcome.HIT) + counters.of(ReadOutcome.PARTIAL_HIT)
            + counters.of(ReadOutcome.MISS_ADMITTED);
      }
    }
    if (known) {
      samples.add(new Traffic.Sample(now, fromLocalCache, fromReplicas, admitted, hits));
    }
  }

  /** Asks once more. @return all that was heard */
  public synchronized Traffic end() {
    sample();
    int silent = (int) dataNodes.values().stream().filter(c -> c == NOTHING).count();
    return new Traffic(samples, silent);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}

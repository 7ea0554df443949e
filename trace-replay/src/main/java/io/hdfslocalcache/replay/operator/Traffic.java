/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** Where the bytes came from while a benchmark ran, over its time. */
public final class Traffic {

  /**
   * What all DataNodes together have counted at a moment.
   *
   * @param millis the moment, since the readers began
   * @param fromLocalCache bytes that clients got from SSDs
   * @param fromReplicas bytes that clients got from data volumes
   * @param admitted reads of admitted blocks
   * @param hits of these, reads that SSDs served to the last byte
   */
  public record Sample(long millis, long fromLocalCache, long fromReplicas, long admitted, long hits) {

    /** @return a sample between this and a later one. */
    Sample towards(Sample later, long at) {
      if (at <= millis || later.millis == millis) {
        return this;
      }
      double share = Math.min(1, (double) (at - millis) / (later.millis - millis));
      return new Sample(at, between(fromLocalCache, later.fromLocalCache, share),
          between(fromReplicas, later.fromReplicas, share),
          between(admitted, later.admitted, share), between(hits, later.hits, share));
    }

    private static long between(long a, long b, double share) {
      return a + Math.round(share * (b - a));
    }

    private static Sample of(Counters counters) {
      long hits = counters.of(ReadOutcome.HIT);
      return new Sample(0, counters.bytesFromSsd(), counters.bytesFromDisk(), hits
          + counters.of(ReadOutcome.PARTIAL_HIT) + counters.of(ReadOutcome.MISS_ADMITTED), hits);
    }

    private Sample plus(Sample other) {
      return new Sample(millis, fromLocalCache + other.fromLocalCache,
          fromReplicas + other.fromReplicas, admitted + other.admitted, hits + other.hits);
    }

    private boolean isLessThan(Sample earlier) {
      return fromLocalCache < earlier.fromLocalCache || fromReplicas < earlier.fromReplicas
          || admitted < earlier.admitted || hits < earlier.hits;
    }

    Sample minus(Sample earlier) {
      return new Sample(millis, fromLocalCache - earlier.fromLocalCache,
          fromReplicas - earlier.fromReplicas, admitted - earlier.admitted, hits - earlier.hits);
    }
  }

  private final List<Sample> samples;
  private final int silent;

  /**
   * Takes over samples.
   *
   * @param samples in the order of time
   * @param silent DataNodes that did not tell, of those in the cluster
   */
  public Traffic(List<Sample> samples, int silent) {
    this.samples = List.copyOf(samples);
    this.silent = silent;
  }

  /** @return whether any DataNode told anything. */
  public boolean isKnown() {
    return samples.size() > 1;
  }

  /** @return number of DataNodes that did not tell: without a local cache, or not reachable. */
  public int silentDataNodes() {
    return silent;
  }

  private Sample at(long millis) {
    Sample before = samples.get(0);
    for (Sample sample : samples) {
      if (sample.millis() >= millis) {
        return before.towards(sample, millis);
      }
      before = sample;
    }
    return before;
  }

  private Sample between(long fromMillis, long toMillis) {
    return isKnown() ? at(toMillis).minus(at(fromMillis)) : new Sample(toMillis, 0, 0, 0, 0);
  }

  /** @return bytes that came from SSDs between two moments. */
  public long fromLocalCache(long fromMillis, long toMillis) {
    return between(fromMillis, toMillis).fromLocalCache();
  }

  /** @return bytes that came from data volumes between two moments. */
  public long fromReplicas(long fromMillis, long toMillis) {
    return between(fromMillis, toMillis).fromReplicas();
  }

  /** @return the share of all bytes between two moments that came from SSDs. */
  public OptionalDouble offload(long fromMillis, long toMillis) {
    Sample part = between(fromMillis, toMillis);
    return share(part.fromLocalCache(), part.fromLocalCache() + part.fromReplicas());
  }

  /** @return the share of the reads of admitted blocks meanwhile that SSDs served alone. */
  public OptionalDouble reuse(long fromMillis, long toMillis) {
    Sample part = between(fromMillis, toMillis);
    return share(part.hits(), part.admitted());
  }

  private static OptionalDouble share(long part, long whole) {
    return whole <= 0 ? OptionalDouble.empty() : OptionalDouble.of((double) part / whole);
  }

  /** Asks all DataNodes every second what their local caches have counted, by {@code /jmx}. */
  public static final class TrafficWatch implements AutoCloseable {

    /** The embedded cluster's figures may be as old as this; others', by default, 10 seconds. */
    public static final long AGE_MILLIS = 600;
    private static final long PERIOD_MILLIS = 1000;

    /** A DataNode, and what it has counted since it was first heard. */
    private static final class Watched {
      private final DataNodeMetrics metrics;
      /** What it shows; null until it answers. */
      private Sample shown;
      private Sample counted = new Sample(0, 0, 0, 0, 0);

      Watched(DataNodeMetrics metrics) {
        this.metrics = metrics;
      }

      void ask() {
        Sample now;
        try {
          now = Sample.of(metrics.now());
        } catch (IOException | IllegalStateException e) {
          // What it told last still counts. The second: another version lacks a metric.
          return;
        }
        if (shown != null) {
          // A DataNode that was restarted begins at 0.
          counted = counted.plus(now.isLessThan(shown) ? now : now.minus(shown));
        }
        shown = now;
      }

      boolean isHeard() {
        return shown != null;
      }
    }

    private final List<Watched> dataNodes = new ArrayList<>();
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
        dataNodes.add(
            new Watched(new DataNodeMetrics(URI.create("http://" + node.getInfoAddr()))));
      }
      timer.scheduleWithFixedDelay(this::sample, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private synchronized void sample() {
      Sample sum = new Sample(System.currentTimeMillis() - startMillis, 0, 0, 0, 0);
      for (Watched dataNode : dataNodes) {
        dataNode.ask();
        sum = sum.plus(dataNode.counted);
      }
      if (dataNodes.stream().anyMatch(Watched::isHeard)) {
        samples.add(sum);
      }
    }

    /** Asks once more. @return all that was heard */
    public synchronized Traffic end() {
      sample();
      int silent = (int) dataNodes.stream().filter(dataNode -> !dataNode.isHeard()).count();
      return new Traffic(samples, silent);
    }

    @Override
    public void close() {
      timer.shutdownNow();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.harness.Jmx;
import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** Reads a DataNode's figures from its {@code /jmx} page, as a monitoring system does. */
public final class DataNodeMetrics {

  private static final String QUERY =
      "Hadoop:service=DataNode,name=" + LocalCacheMetricsSource.RECORD + "-*";
  /** Hadoop shows the same figures for half a second (hadoop-metrics2.properties). */
  private static final long FRESH_AFTER_MS = 600;
  private static final int ATTEMPTS = 30;

  private final URI dataNode;
  private final long freshAfterMillis;
  private final Jmx jmx;

  /** Asks the DataNode with this web address. */
  public DataNodeMetrics(URI dataNode) {
    this(dataNode, FRESH_AFTER_MS);
  }

  /** @param freshAfterMillis for how long it shows the same figures, at most */
  DataNodeMetrics(URI dataNode, long freshAfterMillis) {
    this.dataNode = dataNode;
    this.freshAfterMillis = freshAfterMillis;
    this.jmx = new Jmx(dataNode);
  }

  /**
   * Asks for the figures, which may be half a second old.
   *
   * @throws IOException if the DataNode does not answer, or has no local cache
   */
  public Counters now() throws IOException {
    JsonNode bean = jmx.bean(QUERY);
    if (bean.isMissingNode()) {
      throw new IOException("no figures of a local cache at " + dataNode);
    }
    Map<String, Long> values = new TreeMap<>();
    bean.fields().forEachRemaining(field -> {
      if (field.getValue().isIntegralNumber()) {
        values.put(field.getKey(), field.getValue().asLong());
      }
    });
    return new Counters(values);
  }

  /**
   * Waits until all that clients have read so far is counted, and asks for the figures.
   *
   * @throws IOException as {@link #now}, or if reads go on all the time
   */
  public Counters settled() throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      Counters counters = fresh();
      if (counters.readsInProgress() == 0) {
        return counters;
      }
    }
    throw new IOException("the DataNode still has client reads in progress");
  }

  /** Waits until the figures are younger than this call, and asks for them. */
  public Counters fresh() throws IOException {
    Wait.millis(freshAfterMillis);
    return now();
  }

  /**
   * What a DataNode's local cache shows at a moment, or has counted between two moments.
   *
   * @param values by the name of the metric
   */
  public record Counters(Map<String, Long> values) {

    private static final String ERRORS = "Errors";

    public Counters {
      values = Map.copyOf(values);
    }

    /** @return what was counted from an earlier moment to this one. */
    public Counters since(Counters earlier) {
      Map<String, Long> difference = new TreeMap<>(values);
      difference.replaceAll((name, value) -> value - earlier.values.getOrDefault(name, 0L));
      return new Counters(difference);
    }

    /** @return what was counted here and there. */
    Counters plus(Counters other) {
      Map<String, Long> sum = new TreeMap<>(values);
      other.values.forEach((name, value) -> sum.merge(name, value, Long::sum));
      return new Counters(sum);
    }

    private long get(String name) {
      Long value = values.get(name);
      if (value == null) {
        throw new IllegalStateException("the DataNode does not show " + name);
      }
      return value;
    }

    /** @return events, or bytes. */
    public long of(Event event) {
      return get(event.metric());
    }

    /** @return client reads with an outcome. */
    public long of(ReadOutcome outcome) {
      return get(outcome.metric());
    }

    /** @return whether the local cache is on; for a moment only. */
    public boolean isOn() {
      return get("On") != 0;
    }

    /** @return reads that have begun and not ended; for a moment only. */
    public long readsInProgress() {
      return get("ReadsInProgress");
    }

    /** @return client reads of blocks, whatever became of them. */
    public long reads() {
      return Stream.of(ReadOutcome.values()).mapToLong(this::of).sum();
    }

    /** @return client reads that bypassed the local cache. */
    public long bypasses() {
      return Stream.of(ReadOutcome.values()).filter(ReadOutcome::isBypass)
          .mapToLong(this::of).sum();
    }

    /** @return bytes that clients got from the SSD. */
    public long bytesFromSsd() {
      return of(Event.BYTES_HIT);
    }

    /** @return bytes that clients got from the data disk. */
    public long bytesFromDisk() {
      return of(Event.BYTES_MISS) + of(Event.BYTES_BYPASS);
    }

    /** @return errors of all kinds. */
    public long errors() {
      return values.entrySet().stream().filter(entry -> entry.getKey().startsWith(ERRORS))
          .mapToLong(Map.Entry::getValue).sum();
    }

    /**
     * Reuse rate: of the reads of admitted blocks, the share that the SSD served to the last byte.
     * Partial hits are in the whole and not in the share. Empty if there was no such read.
     */
    public OptionalDouble reuseRate() {
      long hits = of(ReadOutcome.HIT);
      return share(hits, hits + of(ReadOutcome.PARTIAL_HIT) + of(ReadOutcome.MISS_ADMITTED));
    }

    /** Offload: of all bytes that clients got, the share from the SSD. Empty if they got none. */
    public OptionalDouble offload() {
      return share(bytesFromSsd(), bytesFromSsd() + bytesFromDisk());
    }

    private static OptionalDouble share(long part, long whole) {
      return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) part / whole);
    }
  }

  /** What the local caches of all live DataNodes count between two moments, by {@code /jmx}. */
  public static final class ClusterCounters {

    /** The embedded cluster's figures may be as old as this; others', by default, 10 seconds. */
    public static final long AGE_MILLIS = 600;

    private final Map<DataNodeMetrics, Optional<Counters>> first = new LinkedHashMap<>();

    /** Begins at this moment. */
    public ClusterCounters(DistributedFileSystem hdfs) throws IOException {
      for (DatanodeInfo node : hdfs.getDataNodeStats(DatanodeReportType.LIVE)) {
        DataNodeMetrics dataNode =
            new DataNodeMetrics(URI.create("http://" + node.getInfoAddr()));
        first.put(dataNode, ask(dataNode));
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

    /** @return what was counted since the beginning. */
    public Counted end() {
      List<Counters> told = first.entrySet().stream().flatMap(each -> each.getValue().flatMap(
          before -> ask(each.getKey()).map(now ->
              // A DataNode that was restarted begins at 0.
              now.reads() < before.reads() ? now : now.since(before))).stream()).toList();
      return new Counted(told.stream().reduce(Counters::plus), first.size() - told.size());
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
}

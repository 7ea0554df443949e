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

  /** Reads from the DataNode with this web address. */
  public DataNodeMetrics(URI dataNode) {
    this(dataNode, FRESH_AFTER_MS);
  }

  /** @param freshAfterMillis maximum age of its figures */
  DataNodeMetrics(URI dataNode, long freshAfterMillis) {
    this.dataNode = dataNode;
    this.freshAfterMillis = freshAfterMillis;
    this.jmx = new Jmx(dataNode);
  }

  /**
   * Reads the figures, which may be half a second old.
   *
   * @throws IOException if the DataNode does not answer, or has no local cache
   */
  public Counters now() throws IOException {
    JsonNode bean = jmx.bean(QUERY);
    if (bean.isMissingNode()) {
      throw new IOException("no metrics of a local cache at " + dataNode);
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
   * Waits until all finished reads of clients are counted, and reads the figures.
   *
   * @throws IOException as {@link #now}, or if reads never pause
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

  /** Waits until the figures are newer than this call, and reads them. */
  public Counters fresh() throws IOException {
    Wait.millis(freshAfterMillis);
    return now();
  }

  /**
   * Metrics of a DataNode's local cache at a moment, or their differences between two moments.
   *
   * @param values by the name of the metric
   */
  public record Counters(Map<String, Long> values) {

    private static final String ERRORS = "Errors";

    public Counters {
      values = Map.copyOf(values);
    }

    /** @return the counts from an earlier moment to this one. */
    public Counters since(Counters earlier) {
      Map<String, Long> difference = new TreeMap<>(values);
      difference.replaceAll((name, value) -> value - earlier.values.getOrDefault(name, 0L));
      return new Counters(difference);
    }

    /** @return the sum of both counts. */
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

    /** @return client reads of blocks, with any outcome. */
    public long reads() {
      return Stream.of(ReadOutcome.values()).mapToLong(this::of).sum();
    }

    /** @return client reads that bypassed the local cache. */
    public long bypasses() {
      return Stream.of(ReadOutcome.values()).filter(ReadOutcome::isBypass)
          .mapToLong(this::of).sum();
    }

    /** @return bytes from the SSD. */
    public long bytesFromSsd() {
      return of(Event.BYTES_HIT);
    }

    /** @return bytes from the data disk. */
    public long bytesFromDisk() {
      return of(Event.BYTES_MISS) + of(Event.BYTES_BYPASS);
    }

    /** @return errors of all kinds. */
    public long errors() {
      return values.entrySet().stream().filter(entry -> entry.getKey().startsWith(ERRORS))
          .mapToLong(Map.Entry::getValue).sum();
    }

    /**
     * Hit rate: share of the reads of admitted blocks that the SSD served completely. Partial hits
     * do not count as hits. Empty if there was no such read.
     */
    public OptionalDouble reuseRate() {
      long hits = of(ReadOutcome.HIT);
      return share(hits, hits + of(ReadOutcome.PARTIAL_HIT) + of(ReadOutcome.MISS_ADMITTED));
    }

    /** Offload (byte hit rate): share of clients' bytes from the SSD. Empty if there were none. */
    public OptionalDouble offload() {
      return share(bytesFromSsd(), bytesFromSsd() + bytesFromDisk());
    }

    private static OptionalDouble share(long part, long whole) {
      return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) part / whole);
    }
  }

  /** Counts of the local caches of all live DataNodes between two moments, by {@code /jmx}. */
  public static final class ClusterCounters {

    /** Maximum age of the embedded cluster's figures; by default, others' are up to 10 s old. */
    public static final long AGE_MILLIS = 600;

    private final Map<DataNodeMetrics, Optional<Counters>> first = new LinkedHashMap<>();

    /** Starts now. */
    public ClusterCounters(DistributedFileSystem hdfs) throws IOException {
      for (DatanodeInfo node : hdfs.getDataNodeStats(DatanodeReportType.LIVE)) {
        DataNodeMetrics dataNode =
            new DataNodeMetrics(URI.create("http://" + node.getInfoAddr()));
        first.put(dataNode, ask(dataNode));
      }
    }

    /**
     * The counts.
     *
     * @param counters counters of all DataNodes together; empty if none answered
     * @param silent number of DataNodes without an answer at both moments: without a local cache,
     *     not reachable, or of another version
     */
    public record Counted(Optional<Counters> counters, int silent) {
    }

    /** @return the counts since the start. */
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

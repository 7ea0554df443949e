/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * The local cache in Hadoop's metrics system, and so in {@code /jmx} and {@code /prom}: one record
 * for the DataNode, and one for each SSD, data volume and rule with its name as a tag. Their
 * metrics' names lack the prefix of the record, which Prometheus adds.
 */
public final class LocalCacheMetricsSource implements MetricsSource {

  /** Name of the record for the DataNode, and first part of the name of the source. */
  public static final String RECORD = "DataNodeLocalCache";

  /** The same in a dry run, so that sums over a cluster leave dry runs out. */
  public static final String DRY_RUN_RECORD = RECORD + "DryRun";

  /** Name of a metric that {@code status} shows too. */
  public static final String SHORT_CIRCUIT_OPENS = "ShortCircuitOpens";

  private static final String DIRECTORY = "Directory";
  private static final String VOLUME = "Volume";
  private static final String RULE = "Rule";
  private static final String ADMISSION = "Admission";
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1000;

  /**
   * Values measured when they are asked for.
   *
   * @param volumeWaitNanos how long a read waits for each data volume, by its directory
   */
  public record Gauges(boolean on, long shortCircuitOpens, long readsInProgress, long pages,
      long blocks, long fillQueuePages, long invalidationLagMillis,
      long invalidationWaitingMillis, boolean restoring, long restoreMillis, Memory memory,
      List<Directory> directories, Map<String, Long> volumeWaitNanos) {
  }

  /**
   * Metrics of the rate limiter.
   *
   * @param values by name
   * @param counters names of the counters among them
   */
  public record Admission(Map<String, Long> values, Set<String> counters) {

    /** The current metrics of a limiter. */
    public static Admission of(CacheRateLimiter limiter) {
      return new Admission(limiter.metrics(), limiter.counters());
    }
  }

  /** The gauges of the memory tier. */
  public record Memory(long pages, long usedBytes, long capacityBytes, long bufferBytes) {

    /** Without a memory tier. */
    public static final Memory NONE = new Memory(0, 0, 0, 0);
  }

  /** The gauges of one SSD. */
  public record Directory(String path, long usedBytes, long capacityBytes, int state,
      int busyThreads, long writtenBytes, long enduranceBytes, long othersWrittenBytes,
      long lifeDays, long undeletedFiles) {
  }

  private final LocalCacheMetrics counters;
  private final Supplier<Gauges> gauges;
  private final Supplier<Admission> admission;
  private final Supplier<List<RuleStatus>> rules;
  private final String record;

  /**
   * Makes the source of a local cache.
   *
   * @param record {@link #RECORD} or {@link #DRY_RUN_RECORD}
   * @param admission metrics of the rate limiter
   * @param rules the operator's rules
   */
  public LocalCacheMetricsSource(String record, LocalCacheMetrics counters,
      Supplier<Gauges> gauges, Supplier<Admission> admission, Supplier<List<RuleStatus>> rules) {
    this.record = record;
    this.counters = counters;
    this.gauges = gauges;
    this.admission = admission;
    this.rules = rules;
  }

  /** @param suffix subject of the record; empty: the DataNode */
  private MetricsRecordBuilder add(MetricsCollector collector, String suffix) {
    return collector.addRecord(record + suffix).setContext("dfs");
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    Gauges now = gauges.get();
    MetricsRecordBuilder record = add(collector, "");
    addCounters(record);
    addGauges(record, now);
    addAdmission(record, admission.get());
    for (Directory directory : now.directories()) {
      add(collector, DIRECTORY)
          .tag(info("Directory", "Directory on the SSD"), directory.path())
          .addGauge(info("State",
              "State of the SSD: 0 normal, 1 degraded (no fills), 2 probing, 3 down"),
              directory.state())
          .addGauge(info("BusyThreads", "Threads reading from the SSD now"),
              directory.busyThreads())
          .addGauge(info("UsedBytes", "Bytes that page files take on the SSD"),
              directory.usedBytes())
          .addGauge(info("CapacityBytes", "Bytes that page files may take on the SSD"),
              directory.capacityBytes())
          .addCounter(info("WrittenBytes", "Bytes that the local cache wrote to the SSD"),
              directory.writtenBytes())
          .addGauge(info("OthersWrittenBytes",
              "Bytes that other programs wrote to the SSD since it was opened; -1: not known"),
              directory.othersWrittenBytes())
          .addGauge(info("EnduranceBytes",
              "Bytes that may be written in the SSD's life; 0: not known"),
              directory.enduranceBytes())
          .addGauge(info("LifeDays",
              "Days that the SSD lasts at the last day's write rate; -1: not known"),
              directory.lifeDays())
          .addGauge(info("UndeletedFiles",
              "Files of removed pages that could not be deleted yet; deletion is retried"),
              directory.undeletedFiles());
    }
    now.volumeWaitNanos().forEach((directory, nanos) -> add(collector, VOLUME)
        .tag(info("Volume", "Directory of the data volume"), directory)
        .addGauge(info("ReadWaitSeconds",
            "Mean seconds for which recent fills and misses of admitted pages waited for it"),
            nanos / NANOS_PER_SECOND));
    rules.get().forEach(rule -> addRule(add(collector, RULE), rule));
    // One metric with labels; in JMX, which has no labels, the records are numbered.
    counters.forEachError((operation, cause, number) -> add(collector, "")
        .tag(info("operation", "What the local cache was doing"), operation.metric())
        .tag(info("cause", "Cause of the error"), cause.metric())
        .addCounter(info("Errors", "Errors of this operation and cause; no client saw them"),
            number));
  }

  private static void addAdmission(MetricsRecordBuilder record, Admission now) {
    now.values().forEach((name, value) -> {
      MetricsInfo info = info(ADMISSION + name, "Rate limiter metric; see docs/admission.md");
      if (now.counters().contains(name)) {
        record.addCounter(info, value);
      } else {
        record.addGauge(info, value);
      }
    });
  }

  private static void addRule(MetricsRecordBuilder record, RuleStatus rule) {
    record.tag(info("Rule", "Name of the rule"), rule.name())
        .addGauge(info("Pages", "Pages of the rule on the SSDs"), rule.pages())
        .addGauge(info("Bytes", "Bytes of these pages"), rule.bytes())
        .addCounter(info("Reads", "Client reads that matched the rule"), rule.reads())
        .addCounter(info("Hits", "Of those, reads served by an SSD at least in part"),
            rule.hits())
        .addCounter(info("Rejected", "Reads and pages that the rule kept out"),
            rule.rejected())
        .addCounter(info("Evictions", "Pages evicted because of the rule's quota"), rule.evicted());
  }

  private void addCounters(MetricsRecordBuilder record) {
    for (ReadOutcome outcome : ReadOutcome.values()) {
      record.addCounter(info(outcome.metric(), outcome.description()), counters.reads(outcome));
    }
    for (Event event : Event.values()) {
      record.addCounter(info(event.metric(), event.description()), counters.total(event));
    }
  }

  private static void addGauges(MetricsRecordBuilder record, Gauges now) {
    record
        .addGauge(info("On", "1 if the local cache is on, 0 if it is off"), now.on() ? 1 : 0)
        .addCounter(info(SHORT_CIRCUIT_OPENS, "Replicas opened for clients on this machine, which "
            + "read them past the DataNode and the local cache; one may stand for many reads"),
            now.shortCircuitOpens())
        .addGauge(info("ReadsInProgress", "Client reads in progress"),
            now.readsInProgress())
        .addGauge(info("Pages", "Cached pages"), now.pages())
        .addGauge(info("Blocks", "Blocks with cached pages"), now.blocks())
        .addGauge(info("UsedBytes", "Bytes that page files take on all SSDs"),
            now.directories().stream().mapToLong(Directory::usedBytes).sum())
        .addGauge(info("CapacityBytes", "Bytes that page files may take on all SSDs"),
            now.directories().stream().mapToLong(Directory::capacityBytes).sum())
        .addGauge(info("MemoryPages", "Pages in the memory tier"), now.memory().pages())
        .addGauge(info("MemoryUsedBytes", "Bytes that pages take in the memory tier"),
            now.memory().usedBytes())
        .addGauge(info("MemoryCapacityBytes", "Bytes that pages may take in the memory tier"),
            now.memory().capacityBytes())
        .addGauge(info("BufferBytes", "Bytes of direct memory in buffers that are in use for reads "
            + "of SSDs and for fills"), now.memory().bufferBytes())
        .addGauge(info("FillQueuePages", "Pages that wait to be filled"), now.fillQueuePages())
        .addGauge(info("InvalidationLagSeconds",
            "Seconds from the last change of a cached replica to the removal of its pages"),
            now.invalidationLagMillis() / MILLIS_PER_SECOND)
        .addGauge(info("InvalidationWaitingSeconds",
            "Seconds for which the oldest changed replica's pages wait to be removed, or files of "
            + "removed pages could not be deleted"),
            now.invalidationWaitingMillis() / MILLIS_PER_SECOND)
        .addGauge(info("Restoring", "1 while pages are being restored after a restart"),
            now.restoring() ? 1 : 0)
        .addGauge(info("RestoreSeconds", "Seconds that restoring took, or has taken so far"),
            now.restoreMillis() / MILLIS_PER_SECOND);
  }

  private static MetricsInfo info(String name, String description) {
    return Interns.info(name, description);
  }
}

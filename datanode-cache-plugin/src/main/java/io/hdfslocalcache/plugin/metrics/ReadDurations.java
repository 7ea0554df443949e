/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * Durations of clients' reads, as histograms for Prometheus: by outcome, and by size, because a
 * read of megabytes takes as long as its client. Counting takes no lock.
 *
 * <p>Hadoop's own quantiles cannot be aggregated over DataNodes; counters of buckets can.
 */
public final class ReadDurations {

  /** What the name of the records has after that of the DataNode's record. */
  public static final String SUFFIX = "ReadSeconds";

  private static final double NANOS_PER_SECOND = 1e9;
  /** Seconds, as Prometheus writes them; and nanoseconds. */
  private static final String[] BOUNDS =
      {"0.0003", "0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "+Inf"};
  private static final long[] BOUNDS_NANOS = {300_000, 1_000_000, 3_000_000, 10_000_000,
      30_000_000, 100_000_000, 300_000_000, Long.MAX_VALUE};

  /** The outcome of a read. */
  private enum Kind {
    /** An SSD or memory served all of it. */
    HIT,
    /** A data volume served all or some of it. */
    MISS,
    /** The local cache did not handle it. */
    BYPASS;

    static Kind of(ReadOutcome outcome) {
      return outcome == ReadOutcome.HIT ? HIT : outcome.isBypass() ? BYPASS : MISS;
    }
  }

  /** Size by bytes sent. */
  private enum Size {
    UP_TO_64K("64k", 64 << 10),
    UP_TO_1M("1m", 1 << 20),
    LARGER("larger", Long.MAX_VALUE);

    private final String label;
    private final long most;

    Size(String label, long most) {
      this.label = label;
      this.most = most;
    }

    static Size of(long bytes) {
      return bytes <= UP_TO_64K.most ? UP_TO_64K : bytes <= UP_TO_1M.most ? UP_TO_1M : LARGER;
    }
  }

  /** Durations of one kind and size. */
  private static final class Histogram {
    private final LongAdder[] buckets = new LongAdder[BOUNDS.length];
    private final LongAdder sum = new LongAdder();

    Histogram() {
      for (int i = 0; i < buckets.length; i++) {
        buckets[i] = new LongAdder();
      }
    }

    void add(long nanos) {
      int bucket = 0;
      while (nanos > BOUNDS_NANOS[bucket]) {
        bucket++;
      }
      buckets[bucket].increment();
      sum.add(nanos);
    }
  }

  private final Histogram[][] histograms =
      new Histogram[Kind.values().length][Size.values().length];

  /** Starts with all counters at zero. */
  ReadDurations() {
    for (Histogram[] ofKind : histograms) {
      for (int size = 0; size < ofKind.length; size++) {
        ofKind[size] = new Histogram();
      }
    }
  }

  /**
   * Counts a finished read.
   *
   * @param bytes that were sent; a read that sent none is not counted
   * @param nanos from the request to the last byte
   */
  void add(ReadOutcome outcome, long bytes, long nanos) {
    if (bytes > 0) {
      histograms[Kind.of(outcome).ordinal()][Size.of(bytes).ordinal()]
          .add(nanos);
    }
  }

  /** @param record name of the records */
  public MetricsSource source(String record) {
    return (collector, all) -> {
      for (Kind kind : Kind.values()) {
        for (Size size : Size.values()) {
          tell(() -> record(collector, record, kind, size),
              histograms[kind.ordinal()][size.ordinal()]);
        }
      }
    };
  }

  /** Writes a Prometheus histogram: each bucket includes the smaller ones. */
  private static void tell(Supplier<MetricsRecordBuilder> record, Histogram now) {
    long count = 0;
    for (int i = 0; i < BOUNDS.length; i++) {
      count += now.buckets[i].sum();
      record.get().tag(info("le", "Longest read, in seconds"), BOUNDS[i])
          .addCounter(info("Bucket", "Client reads that took at most this long"), count);
    }
    record.get()
        .addCounter(info("Count", "Client reads"), count)
        // A Hadoop counter is a whole number.
        .addGauge(info("Sum", "Sum of their durations in seconds"),
            now.sum.sum() / NANOS_PER_SECOND);
  }

  private static MetricsRecordBuilder record(
      MetricsCollector collector, String record, Kind kind, Size size) {
    return collector.addRecord(record).setContext("dfs")
        .tag(info("outcome", "hit, miss (in part, too) or bypass"),
            kind.name().toLowerCase(Locale.ROOT))
        .tag(info("size", "Bytes that were sent: up to 64k, up to 1m, or larger"), size.label);
  }

  private static MetricsInfo info(String name, String description) {
    return Interns.info(name, description);
  }
}

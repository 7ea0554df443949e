/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.List;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.client.Load.Kind;
import io.hdfslocalcache.bench.e2e.cluster.CacheCounters;
import io.hdfslocalcache.bench.e2e.cluster.Client;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.CpuTimes;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Results.Row;
import org.HdrHistogram.Histogram;

/**
 * The slices of one DataNode with one load in one round, added up: so that a slice in which more
 * was read weighs more, and percentiles are those of all reads.
 */
final class SliceSum {

  private static final double MB = 1e6;
  private static final double GB = 1e9;
  private static final double MICROS = 1e6;

  private long ops;
  private long bytes;
  private double seconds;
  private Histogram nanos;
  private long opsOfAll;
  private long bytesOfAll;
  private double cpu;
  private double compiler;
  private double clientCpu;
  private long hit;
  private long served;
  private long errors;

  /**
   * Adds a slice.
   *
   * @param load which of the loads that ran at the same time; CPU is that of all
   */
  SliceSum add(Slice slice, int load) {
    Load.Result result = slice.results().get(load);
    ops += result.ops();
    bytes += result.bytes();
    seconds += result.seconds();
    if (nanos == null) {
      nanos = result.nanos();
    } else {
      nanos.add(result.nanos());
    }
    for (Load.Result any : slice.results()) {
      opsOfAll += any.ops();
      bytesOfAll += any.bytes();
    }
    cpu += slice.cpu().seconds();
    compiler += slice.cpu().compilerSeconds();
    clientCpu += slice.clientCpu().seconds();
    hit += slice.bytesHit();
    served += slice.bytesServed();
    errors += slice.errors();
    return this;
  }

  /** @return the round's figures. */
  Row row(String path, String variant, int round) {
    return Row.of(path, variant, round)
        .set(Figure.SECONDS, seconds)
        .set(Figure.READS, ops)
        .set(Figure.MB_PER_SECOND, bytes / MB / seconds)
        .set(Figure.OPS_PER_SECOND, ops / seconds)
        .set(Figure.P50_MICROS, nanos.getValueAtPercentile(50) / 1e3)
        .set(Figure.P99_MICROS, nanos.getValueAtPercentile(99) / 1e3)
        .set(Figure.MAX_MICROS, nanos.getMaxValue() / 1e3)
        .set(Figure.CPU_SECONDS_PER_GB, cpu / (bytesOfAll / GB))
        .set(Figure.CPU_MICROS_PER_READ, cpu * MICROS / opsOfAll)
        .set(Figure.CLIENT_CPU_SECONDS_PER_GB, clientCpu / (bytesOfAll / GB))
        .set(Figure.COMPILER_SECONDS, compiler)
        .set(Figure.HIT_SHARE, served == 0 ? 0 : (double) hit / served)
        .set(Figure.CACHE_ERRORS, errors);
  }

  /**
   * What was measured of one DataNode at one time: what loads got, and what they cost.
   *
   * @param results of the loads that ran at the same time
   * @param cpu what the DataNode used, for all of them
   * @param clientCpu what the clients used
   * @param bytesHit bytes that the local cache served from pages
   * @param bytesServed bytes that it saw being served, from wherever
   * @param errors that it counted
   */
  record Slice(List<Load.Result> results, CpuTimes.Used cpu, CpuTimes.Used clientCpu,
      long bytesHit, long bytesServed, long errors) {

    /** After a pause, connections have to be made again, which is not what is measured. */
    private static final double LEAD_SECONDS = 0.1;

    /** Measures a load after a moment of the same. For loads that may be repeated. */
    static Slice afterLead(Client client, Cluster cluster, Load load) throws IOException {
      CacheCounters before = cluster.counters();
      if (load.kind() == Kind.PREAD) {
        client.run(cluster,
            load.seconds(Math.min(LEAD_SECONDS, load.seconds() / 4)).seed(~load.seed()));
      }
      return measure(client, cluster, before, load);
    }

    /** Measures loads that run at the same time. */
    static Slice measure(Client client, Cluster cluster, Load... loads) throws IOException {
      return measure(client, cluster, cluster.counters(), loads);
    }

    private static Slice measure(Client client, Cluster cluster, CacheCounters before,
        Load... loads) throws IOException {
      CpuTimes begin = cluster.cpu();
      CpuTimes clientBegin = client.cpu();
      List<Load.Result> results = client.run(cluster, loads);
      CpuTimes end = cluster.cpu();
      CpuTimes clientEnd = client.cpu();
      CacheCounters after = cluster.counters();
      return new Slice(results, end.since(begin), clientEnd.since(clientBegin),
          after.bytesHit() - before.bytesHit(), after.bytes() - before.bytes(),
          after.errors() - before.errors());
    }
  }
}

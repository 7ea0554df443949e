/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.client.LoadResult;
import io.hdfslocalcache.bench.e2e.cluster.CacheCounters;
import io.hdfslocalcache.bench.e2e.cluster.Client;
import io.hdfslocalcache.bench.e2e.cluster.DataNodeProcess;
import io.hdfslocalcache.bench.e2e.cluster.ProcStat;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Row;

/** Runs loads against a DataNode and measures what they get and what they cost. */
final class Meter {

  private static final double MB = 1e6;
  private static final double GB = 1e9;
  private static final double MICROS = 1e6;

  private final Client client;
  private final DataNodeProcess node;
  private final boolean hasCounters;
  private final int round;
  private String variant;

  Meter(Client client, DataNodeProcess node, Variant variant, int round) {
    this.client = client;
    this.node = node;
    this.hasCounters = variant.patched();
    this.variant = variant.name();
    this.round = round;
  }

  /** From now on, rows are of this variant. */
  void continueAs(String name) {
    variant = name;
  }

  /**
   * Measures a load.
   *
   * @param path name of what is measured
   */
  Row measure(String path, Load load) throws IOException, InterruptedException {
    return measure(List.of(path), load).get(0);
  }

  /**
   * Measures loads that run at the same time; the DataNode's CPU is that of all of them.
   *
   * @param paths a name for each
   */
  List<Row> measure(List<String> paths, Load... loads) throws IOException, InterruptedException {
    CacheCounters before = counters();
    ProcStat begin = node.cpu();
    List<LoadResult> results = client.run(loads);
    ProcStat end = node.cpu();
    CacheCounters after = counters();
    long bytes = results.stream().mapToLong(LoadResult::bytes).sum();
    long ops = results.stream().mapToLong(LoadResult::ops).sum();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < loads.length; i++) {
      LoadResult result = results.get(i);
      double cpu = end.seconds() - begin.seconds();
      rows.add(Row.of(paths.get(i), variant, round)
          .set(Figure.SECONDS, result.seconds())
          .set(Figure.READS, result.ops())
          .set(Figure.MB_PER_SECOND, result.bytes() / MB / result.seconds())
          .set(Figure.OPS_PER_SECOND, result.ops() / result.seconds())
          .set(Figure.P50_MICROS, result.p50Micros())
          .set(Figure.P99_MICROS, result.p99Micros())
          .set(Figure.MAX_MICROS, result.maxMicros())
          .set(Figure.CPU_SECONDS_PER_GB, cpu / (bytes / GB))
          .set(Figure.CPU_MICROS_PER_READ, cpu * MICROS / ops)
          .set(Figure.COMPILER_SECONDS, end.compiler() - begin.compiler())
          .set(Figure.HIT_SHARE, after.hitShareSince(before))
          .set(Figure.CACHE_ERRORS, after.errors() - before.errors()));
    }
    return rows;
  }

  /** The stock DataNode has none, and is not waited for. */
  private CacheCounters counters() throws IOException, InterruptedException {
    return hasCounters ? node.freshCounters() : node.counters();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.bench.e2e.Cluster.Counters;
import io.hdfslocalcache.bench.e2e.Load.Kind;
import org.HdrHistogram.Histogram;

/**
 * Measurements of one DataNode with one load in one round. Slices are added up, so that a slice
 * with more reads weighs more, and percentiles are those of all reads.
 */
final class Slices {

  private static final double MB = 1e6;
  private static final double GB = 1e9;
  private static final double MICROS = 1e6;
  /** Lead time to open connections again after a pause, which is not measured. */
  private static final double LEAD_SECONDS = 0.1;

  private final Histogram nanos = new Histogram(3);
  private long bytes;
  private double seconds;
  private long readsOfAll;
  private long bytesOfAll;
  private double cpu;
  private double compiler;
  private double clientCpu;
  private long hit;
  private long served;
  private long errors;

  /**
   * One measurement.
   *
   * @param results of the loads that ran at the same time
   * @param cpu CPU time of the DataNode, for all of them
   * @param clientCpu CPU time of the clients
   * @param before counters of the local cache before
   * @param after its counters afterwards
   */
  record Slice(List<Load.Result> results, CpuTime cpu, CpuTime clientCpu, Counters before,
      Counters after) {

    /** Measures loads that run at the same time. */
    static Slice of(Cluster cluster, Load... loads) throws IOException, InterruptedException {
      return of(cluster, cluster.counters(false), loads);
    }

    /** Measures a load after a short lead of the same load. For repeatable loads. */
    static Slice afterLead(Cluster cluster, Load load) throws IOException, InterruptedException {
      Counters before = cluster.counters(false);
      if (load.kind() == Kind.RANDOM) {
        Load.run(cluster.files(),
            load.with(Math.min(LEAD_SECONDS, load.seconds() / 4), ~load.seed()));
      }
      return of(cluster, before, load);
    }

    private static Slice of(Cluster cluster, Counters before, Load... loads)
        throws IOException, InterruptedException {
      long self = ProcessHandle.current().pid();
      CpuTime begin = cluster.cpu();
      CpuTime clientBegin = CpuTime.of(self);
      List<Load.Result> results = Load.run(cluster.files(), loads);
      CpuTime clientEnd = CpuTime.of(self);
      CpuTime end = cluster.cpu();
      return new Slice(results, end.since(begin), clientEnd.since(clientBegin), before,
          cluster.counters(false));
    }
  }

  /**
   * Adds a slice.
   *
   * @param load index of the load among concurrent ones; CPU time is that of all
   */
  Slices add(Slice slice, int load) {
    Load.Result result = slice.results().get(load);
    bytes += result.bytes();
    seconds += result.seconds();
    nanos.add(result.nanos());
    for (Load.Result any : slice.results()) {
      readsOfAll += any.reads();
      bytesOfAll += any.bytes();
    }
    cpu += slice.cpu().seconds();
    compiler += slice.cpu().compilerSeconds();
    clientCpu += slice.clientCpu().seconds();
    hit += slice.after().hit() - slice.before().hit();
    served += slice.after().served() - slice.before().served();
    errors += slice.after().errors() - slice.before().errors();
    return this;
  }

  /** @return the figures, by their names in results. */
  Map<String, Double> figures() {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("seconds", seconds);
    figures.put("reads", (double) nanos.getTotalCount());
    figures.put("MB/s", bytes / MB / seconds);
    figures.put("reads/s", nanos.getTotalCount() / seconds);
    figures.put("p50 us", nanos.getValueAtPercentile(50) / 1e3);
    figures.put("p99 us", nanos.getValueAtPercentile(99) / 1e3);
    figures.put("max us", nanos.getMaxValue() / 1e3);
    figures.put("CPU-s/GB", cpu / (bytesOfAll / GB));
    figures.put("CPU us/read", cpu * MICROS / readsOfAll);
    figures.put("client CPU-s/GB", clientCpu / (bytesOfAll / GB));
    figures.put("JIT CPU s", compiler);
    figures.put("hit share", served == 0 ? 0 : (double) hit / served);
    figures.put("errors", (double) errors);
    return figures;
  }
}

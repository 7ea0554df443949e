/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.admin.LocalCacheCommand;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import io.hdfslocalcache.replay.benchmark.report.BenchmarkReport;
import io.hdfslocalcache.replay.operator.AdminCommand;
import io.hdfslocalcache.replay.operator.Traffic;
import io.hdfslocalcache.replay.operator.TrafficWatch;
import org.apache.hadoop.fs.Path;

/**
 * The course of a benchmark: its data, its readers once or twice, and the report. The results are
 * there as a whole or not at all.
 */
public final class BenchmarkRun {

  /** The only phase if nothing is compared. */
  static final String AS_IT_IS = "as it is";
  static final String OFF = "off";
  static final String ON = "on";

  private final Benchmark benchmark;
  private final Bench bench;
  private final Plan plan;

  /**
   * How to run a benchmark.
   *
   * @param compare whether to run it with the local cache off and on
   * @param startDelayMillis time that the cluster gets to start all tasks
   * @param beforePhase done before the readers begin each time
   * @param where said in the report: the cluster, and how its tasks run
   */
  public record Plan(boolean compare, long startDelayMillis, Preparation beforePhase,
      Map<String, Object> where) {
  }

  /** Something to be done before readers begin. */
  @FunctionalInterface
  public interface Preparation {
    /** Does it. */
    void run() throws IOException, InterruptedException;
  }

  public BenchmarkRun(Benchmark benchmark, Bench bench, Plan plan) {
    this.benchmark = benchmark;
    this.bench = bench;
    this.plan = plan;
  }

  /**
   * Runs the benchmark and writes its results.
   *
   * @throws IOException if it cannot be run; then there are no results
   */
  public void run(Results results) throws IOException, InterruptedException {
    results.begin();
    boolean done = false;
    try {
      Map<String, Tally> prepared = benchmark.prepare(bench);
      List<Phase> phases = phases();
      results.keepTallies(bench.hdfs(), bench.jobs());
      new BenchmarkReport(benchmark, plan.where(), prepared, phases).write(results, bench.out());
      results.complete();
      done = true;
    } finally {
      if (!done) {
        results.discard();
      }
      bench.hdfs().delete(bench.directory(), true);
    }
  }

  private List<Phase> phases() throws IOException, InterruptedException {
    List<Phase> phases = new ArrayList<>();
    if (!plan.compare()) {
      phases.add(phase(AS_IT_IS));
      return phases;
    }
    switchAll(OFF);
    try {
      phases.add(phase(OFF));
    } finally {
      // Also when that failed: a benchmark shall not leave a cluster without its local caches.
      switchAll(ON);
    }
    phases.add(phase(ON));
    return phases;
  }

  /** Switches the local caches of all live DataNodes. */
  private void switchAll(String state) throws IOException {
    if (new AdminCommand("hdfs localcache", LocalCacheCommand::new)
        .run(bench.conf(), bench::say, state) != 0) {
      throw new IOException(
          "hdfs localcache " + state + " failed; is the local cache configured on all DataNodes?");
    }
  }

  private Phase phase(String name) throws IOException, InterruptedException {
    plan.beforePhase().run();
    long start = System.currentTimeMillis() + plan.startDelayMillis();
    bench.say("Reading: local cache " + name);
    try (TrafficWatch watch = new TrafficWatch(bench.hdfs(), start)) {
      Map<String, Tally> tallies = benchmark.run(
          bench, new Path(bench.jobs(), "read-" + name.replace(' ', '-')), start);
      TimeUnit.MILLISECONDS.sleep(TrafficWatch.AGE_MILLIS);
      Traffic traffic = watch.end();
      return new Phase(name, tallies, traffic, benchmark.warmUpMillis());
    }
  }
}

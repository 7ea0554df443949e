/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

import io.hdfslocalcache.replay.benchmark.Bench;
import io.hdfslocalcache.replay.benchmark.Benchmark;
import io.hdfslocalcache.replay.benchmark.BenchmarkRun;
import io.hdfslocalcache.replay.benchmark.Results;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Tool;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands for benchmarks have in common. Also a Hadoop Tool. */
abstract class BenchmarkCommand extends Configured implements Tool, Callable<Integer> {

  private static final long EMBEDDED_DELAY_MILLIS = 3000;
  private static final double MILLIS = 1000;

  @Mixin
  private ClusterOptions cluster;

  @Mixin
  private EmbeddedOptions embedded;

  @Option(names = {"-o", "--out"}, paramLabel = "DIR", required = true,
      description = "A directory for the results, to be made: in the cluster's default file "
          + "system, or with --embedded a local one.")
  private String out;

  @Option(names = "--base", paramLabel = "PATH", defaultValue = "/benchmarks/local-cache",
      description = "Where the benchmark writes its data in HDFS; deleted afterwards (default: "
          + "${DEFAULT-VALUE}).")
  private String base;

  @Option(names = "--compare", description = "Runs with the local cache off, then on, by the "
      + "operator's command. Leaves it on.")
  private boolean compare;

  @Option(names = "--start-delay", paramLabel = "S", defaultValue = "30",
      description = "Seconds that the cluster gets to start all tasks before they begin together "
          + "(default: ${DEFAULT-VALUE}; with --embedded 3).")
  private double startDelay;

  /** @return the benchmark that the options describe. */
  abstract Benchmark benchmark() throws IOException;

  /** @return how much faster than the original time passes; 1 if there is none. */
  double rate() {
    return 1;
  }

  final boolean isEmbedded() {
    return embedded.isWanted();
  }

  @Override
  public Integer call() throws IOException {
    try {
      return embedded.isWanted() ? runEmbedded() : runElsewhere();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** As {@code yarn jar} calls it. */
  @Override
  public int run(String[] args) {
    return TraceReplay.run(this, args);
  }

  private int runElsewhere() throws IOException, InterruptedException {
    Configuration conf = cluster.conf();
    Benchmark benchmark = benchmark();
    try (DistributedFileSystem hdfs = ClusterOptions.open(conf)) {
      run(benchmark, conf, hdfs, new Results(new Path(out), conf),
          new BenchmarkRun.Plan(compare, (long) (startDelay * MILLIS), () -> { },
              where(hdfs.getUri().toString(), conf)));
    }
    return 0;
  }

  private int runEmbedded() throws IOException, InterruptedException {
    Results results = new Results(new Path("file", null,
        java.nio.file.Path.of(out).toAbsolutePath().toString()), new Configuration());
    Benchmark benchmark = benchmark();
    if (TraceReplay.LOG_FILE != null) {
      System.out.println("Log of the cluster: " + TraceReplay.LOG_FILE);
    }
    try (EmbeddedOptions.Running running = embedded.start(rate())) {
      Configuration conf = cluster.on(running.conf());
      try (DistributedFileSystem hdfs = ClusterOptions.open(conf)) {
        run(benchmark, conf, hdfs, results, new BenchmarkRun.Plan(compare,
            EMBEDDED_DELAY_MILLIS, running::beforePhase, where(embedded.description(), conf)));
      }
    }
    return 0;
  }

  private static Map<String, Object> where(String cluster, Configuration conf)
      throws IOException {
    Map<String, Object> where = new LinkedHashMap<>();
    where.put("cluster", cluster);
    where.put("MapReduce", ClusterOptions.mapReduce(conf));
    where.put("started from", InetAddress.getLocalHost().getHostName());
    return where;
  }

  private void run(Benchmark benchmark, Configuration conf, DistributedFileSystem hdfs,
      Results results, BenchmarkRun.Plan plan) throws IOException, InterruptedException {
    Path directory = new Path(base, benchmark.name() + "-" + System.currentTimeMillis());
    new BenchmarkRun(benchmark, new Bench(conf, hdfs, directory, System.out), plan).run(results);
    System.out.println("\nResults: " + results.directory());
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.admin.LocalCacheCommand;
import io.hdfslocalcache.replay.cluster.ClusterOptions;
import io.hdfslocalcache.replay.cluster.Results;
import io.hdfslocalcache.replay.embedded.EmbeddedOptions;
import io.hdfslocalcache.replay.operator.AdminCommand;
import io.hdfslocalcache.replay.operator.Traffic;
import io.hdfslocalcache.replay.operator.Traffic.TrafficWatch;
import io.hdfslocalcache.replay.text.Checks;
import io.hdfslocalcache.replay.text.Checks.Bytes;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A benchmark: the options that all have, and its course. Data is made, readers read once or, to
 * compare, twice, and reports are written. The results are there as a whole or not at all.
 */
abstract class BenchmarkCommand implements Callable<Integer> {

  private static final long EMBEDDED_DELAY_MILLIS = 3000;
  private static final double MILLIS = 1000;
  /** The only phase if nothing is compared. */
  private static final String AS_IT_IS = "as it is";
  private static final String OFF = "off";
  private static final String ON = "on";

  /** What was done and where, by name, for the reports. */
  final Map<String, Object> settings = new LinkedHashMap<>();

  @Spec
  private CommandSpec spec;

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

  @Option(names = "--block-size", paramLabel = "SIZE", converter = Bytes.class,
      description = "Size of the blocks that are written; default: the cluster's.")
  private long blockSize;

  @Option(names = "--compare", description = "Runs with the local cache off, then on, by the "
      + "operator's command. Leaves it on.")
  private boolean compare;

  @Option(names = "--start-delay", paramLabel = "S", defaultValue = "30",
      description = "Seconds that the cluster gets to start all tasks before they begin together "
          + "(default: ${DEFAULT-VALUE}; with --embedded 3).")
  private double startDelay;

  /** Something to be done before readers begin. */
  private interface Preparation {
    void run() throws IOException, InterruptedException;
  }

  /** Checks the options, and loads what they name. */
  abstract void check() throws IOException;

  /**
   * Makes what will be read.
   *
   * @return tallies of that by name; none if nothing was measured
   */
  abstract Map<String, Tally> prepare(Bench bench) throws IOException, InterruptedException;

  /**
   * Reads, once.
   *
   * @param output directory for the tasks' tallies; made by the job
   * @param startMillis when all tasks begin, in milliseconds since 1970
   * @return tallies by name; {@link Phase#WARM_UP} is that of reads that belong to the warm-up
   */
  abstract Map<String, Tally> read(Bench bench, Path output, long startMillis)
      throws IOException, InterruptedException;

  /** @return how much faster than the original time passes; 1 if there is none. */
  double rate() {
    return 1;
  }

  /** @return DataNodes that a cluster must have. */
  int dataNodes() {
    return 1;
  }

  /** @return milliseconds since the readers begin that shall be in no figure; 0 if all shall. */
  long warmUpMillis() {
    return 0;
  }

  final boolean isEmbedded() {
    return embedded.isWanted();
  }

  /** @return bytes of a block of a file that is written. */
  final long blockSize(Bench bench) {
    return blockSize > 0 ? blockSize : bench.hdfs().getDefaultBlockSize(bench.directory());
  }

  @Override
  public final Integer call() throws IOException {
    Checks.atLeast("--start-delay", startDelay, 0);
    try {
      if (isEmbedded()) {
        runEmbedded();
      } else {
        runElsewhere();
      }
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void runElsewhere() throws IOException, InterruptedException {
    Configuration conf = cluster.conf();
    check();
    try (DistributedFileSystem hdfs = ClusterOptions.open(conf)) {
      Results results = new Results(new Path(out), conf);
      run(bench(conf, hdfs, hdfs.getUri().toString()), results, (long) (startDelay * MILLIS),
          () -> { });
    }
  }

  private void runEmbedded() throws IOException, InterruptedException {
    Results results = new Results(new Path("file", null,
        java.nio.file.Path.of(out).toAbsolutePath().toString()), new Configuration());
    check();
    String log = System.getProperty("demo.log");
    if (log != null) {
      System.out.println("Log of the cluster: " + log);
    }
    try (EmbeddedOptions.Running running = embedded.start(rate(), dataNodes())) {
      Configuration conf = cluster.on(running.conf());
      try (DistributedFileSystem hdfs = ClusterOptions.open(conf)) {
        run(bench(conf, hdfs, embedded.description()), results, EMBEDDED_DELAY_MILLIS,
            running::beforePhase);
      }
    }
  }

  private Bench bench(Configuration conf, DistributedFileSystem hdfs, String name)
      throws IOException {
    settings.put("cluster", name);
    settings.put("MapReduce", ClusterOptions.mapReduce(conf));
    settings.put("started from", InetAddress.getLocalHost().getHostName());
    return new Bench(conf, hdfs, new Path(base, spec.name() + "-" + System.currentTimeMillis()));
  }

  private void run(Bench bench, Results results, long delayMillis, Preparation beforePhase)
      throws IOException, InterruptedException {
    results.begin();
    boolean done = false;
    try {
      Map<String, Tally> prepared = prepare(bench);
      List<Phase> phases = phases(bench, delayMillis, beforePhase);
      results.keepTallies(bench.hdfs(), bench.jobs());
      new BenchmarkReport(spec.name(), settings, prepared, phases).write(results);
      results.complete();
      done = true;
    } finally {
      if (!done) {
        results.discard();
      }
      bench.hdfs().delete(bench.directory(), true);
    }
    bench.say("\nResults: " + results.directory());
  }

  private List<Phase> phases(Bench bench, long delayMillis, Preparation beforePhase)
      throws IOException, InterruptedException {
    List<Phase> phases = new ArrayList<>();
    if (!compare) {
      phases.add(phase(AS_IT_IS, bench, delayMillis, beforePhase));
      return phases;
    }
    switchAll(OFF, bench);
    try {
      phases.add(phase(OFF, bench, delayMillis, beforePhase));
    } finally {
      // Also when that failed: a benchmark shall not leave a cluster without its local caches.
      switchAll(ON, bench);
    }
    phases.add(phase(ON, bench, delayMillis, beforePhase));
    return phases;
  }

  /** Switches the local caches of all live DataNodes. */
  private static void switchAll(String state, Bench bench) throws IOException {
    if (new AdminCommand("hdfs localcache", LocalCacheCommand::new)
        .run(bench.conf(), bench::say, state) != 0) {
      throw new IOException(
          "hdfs localcache " + state + " failed; is the local cache configured on all DataNodes?");
    }
  }

  private Phase phase(String name, Bench bench, long delayMillis, Preparation beforePhase)
      throws IOException, InterruptedException {
    beforePhase.run();
    long start = System.currentTimeMillis() + delayMillis;
    bench.say("Reading: local cache " + name);
    try (TrafficWatch watch = new TrafficWatch(bench.hdfs(), start)) {
      Map<String, Tally> tallies =
          read(bench, new Path(bench.jobs(), "read-" + name.replace(' ', '-')), start);
      TimeUnit.MILLISECONDS.sleep(TrafficWatch.AGE_MILLIS);
      Traffic traffic = watch.end();
      return new Phase(name, tallies, traffic, warmUpMillis());
    }
  }

  /**
   * What a benchmark runs on.
   *
   * @param conf the cluster's configuration; not changed
   * @param hdfs the file system
   * @param directory where the benchmark may write; deleted afterwards
   */
  record Bench(Configuration conf, DistributedFileSystem hdfs, Path directory) {

    /** Tells the user what is done. */
    void say(String text) {
      System.out.println(text);
    }

    /** @return where the jobs' tallies are, which are kept with the results. */
    Path jobs() {
      return new Path(directory, "jobs");
    }
  }
}

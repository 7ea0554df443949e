/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.admin.LocalCacheCommand;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.replay.benchmark.BenchmarkReport.Phase;
import io.hdfslocalcache.replay.cluster.ClusterOptions;
import io.hdfslocalcache.replay.cluster.Results;
import io.hdfslocalcache.replay.embedded.EmbeddedCluster;
import io.hdfslocalcache.replay.embedded.EmbeddedCluster.Hdd;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.ClusterCounters;
import io.hdfslocalcache.replay.text.Text.Checks;
import io.hdfslocalcache.replay.text.Text.Checks.Bytes;
import io.hdfslocalcache.replay.trace.Inputs;
import io.hdfslocalcache.replay.trace.Trace;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Replays the reads of a trace at their times, each reader in a task; once or, to compare, twice.
 * Leaves out writes and short-circuit reads. The results are written completely or not at all. The
 * idea, and how lateness is counted, come from Hadoop's Dynamometer, which replays requests to a
 * NameNode.
 */
@Command(name = "replay", description = "Benchmark: replays the reads of a trace at their "
    + "times, by a MapReduce job with a mapper for each reader.")
public final class Replay implements Callable<Integer> {

  private static final long EMBEDDED_DELAY_MILLIS = 3000;
  /** Limited because threads and their buffers have to fit into one process. */
  private static final int EMBEDDED_MAPPERS = 16;
  private static final int WRITERS_PER_DATANODE = 2;
  private static final int BUFFER = 1 << 20;
  /** Default capacity and block size of each embedded DataNode. */
  private static final Map<String, String> EMBEDDED_KEYS =
      Map.of(LocalCacheKeys.CAPACITY, "1g", "dfs.blocksize", "16m");
  private static final double MILLIS = 1000;
  private static final double HOUR_MILLIS = 3_600_000;
  /** The only phase without a comparison. */
  private static final String AS_IT_IS = "as it is";
  private static final String OFF = "off";
  private static final String ON = "on";

  /** Settings and environment by name, for the report. */
  private final Map<String, Object> settings = new LinkedHashMap<>();

  @Mixin
  private ClusterOptions cluster;

  @Option(names = "--embedded", description = "Starts a NameNode and a DataNode with a local cache "
      + "for the benchmark, whose tasks then run in this process.")
  private boolean embedded;
  @Option(names = "--hdd", description = "The same, with the DataNode on an emulated HDD, in "
      + "its own process; needs root.")
  private boolean onHdd;
  @Option(names = "--work", paramLabel = "DIR", description = "Directory for the embedded cluster's "
      + "files, which are deleted at the end; created if missing (default: the directory for "
      + "temporary files).")
  private Path work = Path.of(System.getProperty("java.io.tmpdir"));
  @Mixin
  private Hdd hdd;

  @Mixin
  private Inputs inputs;

  @Parameters(paramLabel = "TRACE", arity = "1..*", description = "The trace.")
  private List<Path> files;

  @Option(names = {"-o", "--out"}, paramLabel = "DIR", required = true,
      description = "A new directory for the results: in the cluster's default file "
          + "system, or with --embedded a local one.")
  private String out;

  @Option(names = "--base", paramLabel = "PATH", defaultValue = "/benchmarks/local-cache",
      description = "Path for the benchmark's data in HDFS; deleted afterwards (default: "
          + "${DEFAULT-VALUE}).")
  private String base;

  @Option(names = "--compare", description = "Runs with the local cache off, then on, by the "
      + "operator's command. Leaves it on.")
  private boolean compare;

  @Option(names = "--start-delay", paramLabel = "S", defaultValue = "30",
      description = "Seconds to start all tasks before they begin together "
          + "(default: ${DEFAULT-VALUE}; with --embedded 3).")
  private double startDelay;

  @Option(names = "--rate", paramLabel = "N", defaultValue = "1",
      description = "Speed relative to the trace's time (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(names = "--mappers", paramLabel = "N", description = "Maximum number of mappers, which "
      + "share the readers (default: one for each reader, with --embedded at most 16).")
  private Integer mappers;

  @Option(names = "--max-data", paramLabel = "SIZE", defaultValue = "2g", converter = Bytes.class,
      description = "Most data to write, for each replica (default: ${DEFAULT-VALUE}).")
  private long maxBytes;

  @Option(names = "--striped", paramLabel = "POLICY", description = "Writes the data erasure-coded "
      + "with a policy such as RS-3-2-1024k, in full block groups; with --hdd, on as many "
      + "DataNodes and HDDs as a group has internal blocks. Elsewhere, the policy must be enabled.")
  private String policy;

  private Trace trace;
  private ReplayPlan plan;

  /**
   * The cluster of the benchmark.
   *
   * @param conf the cluster's configuration; not changed
   * @param hdfs the file system
   * @param directory directory for the benchmark's data; deleted afterwards
   */
  private record Bench(Configuration conf, DistributedFileSystem hdfs,
      org.apache.hadoop.fs.Path directory) {

    org.apache.hadoop.fs.Path path(String name) {
      return new org.apache.hadoop.fs.Path(directory, name);
    }
  }

  @Override
  public Integer call() throws IOException {
    checkOptions();
    try {
      if (embedded || onHdd) {
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

  private void checkOptions() {
    hdd.check();
    Checks.atLeast("--start-delay", startDelay, 0);
    Checks.moreThanZero("--rate", rate);
    if (mappers != null) {
      Checks.atLeast("--mappers", mappers, 1);
    }
    if (policy != null) {
      striping();
    }
  }

  private ErasureCodingPolicy striping() {
    ErasureCodingPolicy found = SystemErasureCodingPolicies.getByName(policy);
    Checks.require(found != null, "not a policy such as RS-6-3-1024k: " + policy);
    return found;
  }

  /** @throws IOException if the trace has no readers or no reads */
  private void loadTrace() throws IOException {
    trace = inputs.load(files);
    if (!trace.hasReaders()) {
      throw new IOException(
          "the trace has no column reader, so it cannot be replayed by reader");
    }
    plan = new ReplayPlan(trace, rate,
        mappers != null ? mappers : embedded || onHdd ? EMBEDDED_MAPPERS : 0);
    if (plan.blocksRead() == 0) {
      throw new IOException("no reads in the trace");
    }
  }

  private void runElsewhere() throws IOException, InterruptedException {
    Configuration conf = cluster.conf();
    loadTrace();
    try (DistributedFileSystem hdfs = ClusterOptions.open(conf);
         Results results = new Results(new org.apache.hadoop.fs.Path(out), conf)) {
      run(bench(conf, hdfs, hdfs.getUri().toString()), results, (long) (startDelay * MILLIS),
          null);
    }
  }

  private void runEmbedded() throws IOException, InterruptedException {
    try (Results results = new Results(new org.apache.hadoop.fs.Path("file", null,
             Path.of(out).toAbsolutePath().toString()), new Configuration())) {
      loadTrace();
      String log = System.getProperty("demo.log");
      if (log != null) {
        System.out.println("Log of the cluster: " + log);
      }
      int dataNodes =
          policy == null ? 1 : striping().getNumDataUnits() + striping().getNumParityUnits();
      if (dataNodes > 1 && !onHdd) {
        throw new IOException("--embedded has one DataNode, but " + dataNodes
            + " are needed: use --hdd");
      }
      Map<String, String> keys = new HashMap<>(EMBEDDED_KEYS);
      keys.putAll(cluster.settings());
      try (EmbeddedCluster running = EmbeddedCluster.start(
          workDirectory(), null, keys, rate, onHdd ? hdd : null, dataNodes)) {
        Configuration conf = cluster.on(here(running));
        try (DistributedFileSystem hdfs = ClusterOptions.open(conf)) {
          run(bench(conf, hdfs, onHdd ? "embedded, " + hdd : "embedded"), results,
              EMBEDDED_DELAY_MILLIS, running);
        }
      }
    }
  }

  private Path workDirectory() throws IOException {
    try {
      return Files.createDirectories(work);
    } catch (FileAlreadyExistsException e) {
      throw new IOException("--work: cannot create " + work + ": a file of that name exists", e);
    }
  }

  /** Runs tasks in this process, with minimal buffers and many readers. */
  private static Configuration here(EmbeddedCluster running) {
    Configuration conf = running.conf();
    Map.of("mapreduce.framework.name", "local",
        "mapreduce.cluster.local.dir", running.directory().resolve("mapred").toString(),
        "mapreduce.jobtracker.staging.root.dir",
        running.directory().resolve("staging").toUri().toString(),
        "mapreduce.task.io.sort.mb", "1",
        "dfs.client.socketcache.capacity", "256",
        "dfs.client.read.striped.threadpool.size", "256").forEach(conf::set);
    return conf;
  }

  private Bench bench(Configuration conf, DistributedFileSystem hdfs, String name)
      throws IOException {
    settings.put("cluster", name);
    settings.put("MapReduce", ClusterOptions.mapReduce(conf));
    if (!cluster.settings().isEmpty()) {
      settings.put("keys", cluster.settings());
    }
    settings.put("started from", InetAddress.getLocalHost().getHostName());
    return new Bench(conf, hdfs,
        new org.apache.hadoop.fs.Path(base, "replay-" + System.currentTimeMillis()));
  }

  /** @param own the cluster, if started by the benchmark; else null */
  private void run(Bench bench, Results results, long delayMillis, EmbeddedCluster own)
      throws IOException, InterruptedException {
    try {
      writeInput(bench);
      BenchmarkReport report = new BenchmarkReport(settings, phases(bench, delayMillis, own));
      results.complete(report.report(), report.json());
    } finally {
      bench.hdfs().delete(bench.directory(), true);
    }
  }

  /** Writes the blocks to read, and the reads of each task. */
  private void writeInput(Bench bench) throws IOException, InterruptedException {
    org.apache.hadoop.fs.Path directory = bench.path("data");
    long block = bench.hdfs().getDefaultBlockSize(directory);
    int blocks = (int) Math.max(1, Math.min(plan.blocksRead(), maxBytes / block));
    int perFile = policy == null ? 1 : stripe(bench, directory);
    int number = Math.max(1, blocks / perFile);
    System.out.println("Writing " + number * perFile + " blocks of " + block + " bytes");
    write(bench.hdfs(), directory, number, perFile * block, block);
    plan.write(bench.hdfs(), bench.path("input"), number, perFile, block);
    settings.put("trace", Inputs.names(files));
    settings.put("rate", rate);
    settings.put("hours of the trace", trace.spanMillis() / HOUR_MILLIS);
    settings.put("readers in the trace", trace.readers().size());
    if (policy != null) {
      settings.put("erasure coding policy", policy);
    }
    settings.put("tasks", plan.tasks());
    settings.put("threads of a task", ReplayMapper.THREADS);
    settings.put("late after ms", ReplayMapper.LATE_MILLIS);
    settings.put("blocks read in the trace", plan.blocksRead());
    settings.put("blocks to read here", number * perFile);
    settings.put("bytes to read from", number * perFile * block);
    settings.put("reads to do", plan.operations());
    settings.put("left out: writes, short-circuit", plan.notReads());
    settings.put("left out: without bytes", plan.empty());
    settings.put("offset wrapped, block too large", plan.wrapped());
    settings.put("length shortened, block too large", plan.shortened());
  }

  /** Creates a directory for erasure-coded files. @return data blocks in a group */
  private int stripe(Bench bench, org.apache.hadoop.fs.Path directory) throws IOException {
    if (embedded || onHdd) {
      bench.hdfs().enableErasureCodingPolicy(policy);
    }
    bench.hdfs().mkdirs(directory);
    bench.hdfs().setErasureCodingPolicy(directory, policy);
    return striping().getNumDataUnits();
  }

  /**
   * Writes files from this process, whose place favours no DataNode.
   *
   * @param length bytes of each file
   * @param block bytes of a block
   */
  private static void write(DistributedFileSystem hdfs, org.apache.hadoop.fs.Path directory,
      int number, long length, long block) throws IOException, InterruptedException {
    // Bytes that do not compress.
    byte[] filler = new byte[BUFFER];
    new Random(1).nextBytes(filler);
    int dataNodes = hdfs.getDataNodeStats(DatanodeReportType.LIVE).length;
    ExecutorService pool = Executors.newFixedThreadPool(
        Math.min(number, Math.max(1, WRITERS_PER_DATANODE * dataNodes)));
    try {
      List<Future<?>> writing = new ArrayList<>();
      for (int i = 0; i < number; i++) {
        org.apache.hadoop.fs.Path file =
            new org.apache.hadoop.fs.Path(directory, ReplayPlan.file(i));
        writing.add(pool.submit(() -> {
          try (OutputStream to = hdfs.create(file, FsPermission.getFileDefault(),
                   EnumSet.of(CreateFlag.CREATE, CreateFlag.NO_LOCAL_WRITE), BUFFER,
                   hdfs.getDefaultReplication(file), block, null)) {
            for (long left = length; left > 0; left -= filler.length) {
              to.write(filler, 0, (int) Math.min(filler.length, left));
            }
          }
          return null;
        }));
      }
      for (Future<?> file : writing) {
        file.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private List<Phase> phases(Bench bench, long delayMillis, EmbeddedCluster own)
      throws IOException, InterruptedException {
    List<Phase> phases = new ArrayList<>();
    if (!compare) {
      phases.add(phase(AS_IT_IS, bench, delayMillis, own));
      return phases;
    }
    switchAll(OFF, bench);
    try {
      phases.add(phase(OFF, bench, delayMillis, own));
    } finally {
      // Also after a failure: a benchmark must not leave a cluster with its local caches off.
      switchAll(ON, bench);
    }
    phases.add(phase(ON, bench, delayMillis, own));
    return phases;
  }

  /** Switches the local caches of all live DataNodes. */
  private static void switchAll(String state, Bench bench) throws IOException {
    System.out.println("$ hdfs localcache " + state);
    LocalCacheCommand command = new LocalCacheCommand();
    command.setConf(new Configuration(bench.conf()));
    if (command.run(new String[] {state}) != 0) {
      throw new IOException(
          "hdfs localcache " + state + " failed; is the local cache configured on all DataNodes?");
    }
  }

  private Phase phase(String name, Bench bench, long delayMillis, EmbeddedCluster own)
      throws IOException, InterruptedException {
    if (own != null) {
      own.beforePhase();
    }
    long start = System.currentTimeMillis() + delayMillis;
    System.out.println("Reading: local cache " + name);
    ClusterCounters counters = new ClusterCounters(bench.hdfs());
    Tally tally = ReplayMapper.run(bench.conf(), plan.tasks(), start, bench.path("input"),
        bench.path("data"), bench.path(name.replace(' ', '-')));
    TimeUnit.MILLISECONDS.sleep(ClusterCounters.AGE_MILLIS);
    return new Phase(name, tally, counters.end());
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
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
import io.hdfslocalcache.replay.benchmark.BenchmarkReport.Phase;
import io.hdfslocalcache.replay.benchmark.Mapping.Places;
import io.hdfslocalcache.replay.cluster.ClusterOptions;
import io.hdfslocalcache.replay.cluster.Results;
import io.hdfslocalcache.replay.embedded.EmbeddedCluster;
import io.hdfslocalcache.replay.embedded.EmbeddedOptions;
import io.hdfslocalcache.replay.embedded.WorkDirectory;
import io.hdfslocalcache.replay.operator.ClusterCounters;
import io.hdfslocalcache.replay.text.Checks;
import io.hdfslocalcache.replay.text.Checks.Bytes;
import io.hdfslocalcache.replay.text.Text;
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
 * Does the reads of a trace again, each reader's in a task, at their times; once or, to compare,
 * twice. Writes and short-circuit reads of the trace are left out. The results are there as a whole
 * or not at all. The idea, and how lateness is counted, are from Hadoop's Dynamometer, which does it
 * for a NameNode.
 */
@Command(name = "replay", description = "Benchmark: does the reads of a trace again, at their "
    + "times, by a MapReduce job with a mapper for each reader.")
public final class Replay implements Callable<Integer> {

  private static final long EMBEDDED_DELAY_MILLIS = 3000;
  /** Threads and their buffers have to fit into one process. */
  private static final int EMBEDDED_MAPPERS = 16;
  private static final int WRITERS_PER_DATANODE = 2;
  private static final int BUFFER = 1 << 20;
  /** Reads that a task has in progress at most. */
  private static final int THREADS = 8;
  /** A read that begins later than this after its time is late. */
  private static final long LATE_MILLIS = 100;
  private static final double MILLIS = 1000;
  private static final double HOUR_MILLIS = 3_600_000;
  /** The only phase if nothing is compared. */
  private static final String AS_IT_IS = "as it is";
  private static final String OFF = "off";
  private static final String ON = "on";

  /** What was done and where, by name, for the report. */
  private final Map<String, Object> settings = new LinkedHashMap<>();

  @Mixin
  private ClusterOptions cluster;

  @Mixin
  private EmbeddedOptions embedded;

  @Mixin
  private Inputs inputs;

  @Parameters(paramLabel = "TRACE", arity = "1..*", description = "The trace.")
  private List<Path> files;

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

  @Option(names = "--rate", paramLabel = "N", defaultValue = "1",
      description = "How much faster than in the trace time passes (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(names = "--mappers", paramLabel = "N", description = "Number of mappers at most, which "
      + "share the readers; default: one for each reader, with --embedded 16 at most.")
  private Integer mappers;

  @Option(names = "--max-data", paramLabel = "SIZE", defaultValue = "2g", converter = Bytes.class,
      description = "How much to write at most, for each replica (default: ${DEFAULT-VALUE}).")
  private long maxBytes;

  @Option(names = "--striped", paramLabel = "POLICY", description = "Writes the data erasure-coded "
      + "with a policy such as RS-3-2-1024k, in full block groups; with --hdd, on as many "
      + "DataNodes and HDDs as a group has internal blocks. Elsewhere, the policy must be enabled.")
  private String policy;

  private Trace trace;

  /**
   * What the benchmark runs on.
   *
   * @param conf the cluster's configuration; not changed
   * @param hdfs the file system
   * @param directory where the benchmark may write; deleted afterwards
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
      if (embedded.isWanted()) {
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

  /** @throws IOException if the trace does not tell who read, or if nobody did */
  private void loadTrace() throws IOException {
    trace = inputs.load(files);
    if (!trace.hasReaders()) {
      throw new IOException(
          "the trace has no column reader, so it cannot be replayed by reader");
    }
    if (Mapping.blocksRead(trace) == 0) {
      throw new IOException("there are no reads in the trace");
    }
  }

  private void runElsewhere() throws IOException, InterruptedException {
    Configuration conf = cluster.conf();
    loadTrace();
    try (DistributedFileSystem hdfs = ClusterOptions.open(conf)) {
      run(bench(conf, hdfs, hdfs.getUri().toString()),
          new Results(new org.apache.hadoop.fs.Path(out), conf), (long) (startDelay * MILLIS),
          null);
    }
  }

  private void runEmbedded() throws IOException, InterruptedException {
    Results results = new Results(new org.apache.hadoop.fs.Path("file", null,
        Path.of(out).toAbsolutePath().toString()), new Configuration());
    loadTrace();
    String log = System.getProperty("demo.log");
    if (log != null) {
      System.out.println("Log of the cluster: " + log);
    }
    int dataNodes =
        policy == null ? 1 : striping().getNumDataUnits() + striping().getNumParityUnits();
    try (WorkDirectory directory = embedded.newDirectory();
         EmbeddedCluster running =
             embedded.start(directory.path(), rate, dataNodes, cluster.settings())) {
      Configuration here = running.conf();
      EmbeddedOptions.runHere(directory.path(), here);
      Configuration conf = cluster.on(here);
      try (DistributedFileSystem hdfs = ClusterOptions.open(conf)) {
        run(bench(conf, hdfs, embedded.description()), results, EMBEDDED_DELAY_MILLIS, running);
      }
    }
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

  /** @param own the cluster, if the benchmark has started it; else null */
  private void run(Bench bench, Results results, long delayMillis, EmbeddedCluster own)
      throws IOException, InterruptedException {
    results.begin();
    try {
      int tasks = writeTasks(bench);
      List<Phase> phases = phases(bench, tasks, delayMillis, own);
      new BenchmarkReport("replay", settings, phases).write(results);
      results.complete();
    } finally {
      results.discard();
      bench.hdfs().delete(bench.directory(), true);
    }
    System.out.println("\nResults: " + results.directory());
  }

  /** Writes what each task does. @return how many there are */
  private int writeTasks(Bench bench) throws IOException, InterruptedException {
    Mapping mapping = new Mapping(trace, places(bench));
    ReplayTasks all = new ReplayTasks(trace, rate,
        mappers != null ? mappers : embedded.isWanted() ? EMBEDDED_MAPPERS : 0);
    all.write(bench.hdfs(), bench.path("input"), mapping);
    settings.put("trace", Inputs.names(files));
    settings.put("rate", rate);
    settings.put("hours of the trace", trace.spanMillis() / HOUR_MILLIS);
    settings.put("readers in the trace", trace.readers().size());
    if (policy != null) {
      settings.put("erasure coding policy", policy);
    }
    settings.put("tasks", all.number());
    settings.put("threads of a task", THREADS);
    settings.put("late after ms", LATE_MILLIS);
    settings.put("blocks read in the trace", Mapping.blocksRead(trace));
    settings.put("blocks to read here", mapping.places().all().size());
    settings.put("bytes to read from", mapping.places().bytes());
    settings.put("reads to do", all.operations());
    settings.put("not to be done: writes, short-circuit", all.notReads());
    settings.put("not to be done: without bytes", all.empty());
    settings.put("offset wrapped, block too large", mapping.wrapped());
    settings.put("length shortened, block too large", mapping.shortened());
    return all.number();
  }

  /** Writes the blocks to read. */
  private Places places(Bench bench) throws IOException, InterruptedException {
    org.apache.hadoop.fs.Path directory = bench.path("data");
    long length = bench.hdfs().getDefaultBlockSize(directory);
    int blocks = (int) Math.max(1, Math.min(Mapping.blocksRead(trace), maxBytes / length));
    int perFile = policy == null ? 1 : stripe(bench, directory);
    int number = Math.max(1, blocks / perFile);
    System.out.println("Writing " + number * perFile + " blocks of " + length + " bytes");
    write(bench.hdfs(), directory, number, perFile * length, length);
    return Places.find(bench.hdfs(), directory);
  }

  /** Makes a directory whose files are erasure-coded. @return blocks of data in a group */
  private int stripe(Bench bench, org.apache.hadoop.fs.Path directory) throws IOException {
    if (embedded.isWanted()) {
      bench.hdfs().enableErasureCodingPolicy(policy);
    }
    bench.hdfs().mkdirs(directory);
    bench.hdfs().setErasureCodingPolicy(directory, policy);
    return striping().getNumDataUnits();
  }

  /**
   * Writes files from this process, which is no more on one DataNode than on another.
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
            new org.apache.hadoop.fs.Path(directory, Text.format("file-%06d", i));
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

  private List<Phase> phases(Bench bench, int tasks, long delayMillis, EmbeddedCluster own)
      throws IOException, InterruptedException {
    List<Phase> phases = new ArrayList<>();
    if (!compare) {
      phases.add(phase(AS_IT_IS, bench, tasks, delayMillis, own));
      return phases;
    }
    switchAll(OFF, bench);
    try {
      phases.add(phase(OFF, bench, tasks, delayMillis, own));
    } finally {
      // Also when that failed: a benchmark shall not leave a cluster without its local caches.
      switchAll(ON, bench);
    }
    phases.add(phase(ON, bench, tasks, delayMillis, own));
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

  private Phase phase(String name, Bench bench, int tasks, long delayMillis,
      EmbeddedCluster own) throws IOException, InterruptedException {
    if (own != null) {
      own.beforePhase();
    }
    long start = System.currentTimeMillis() + delayMillis;
    System.out.println("Reading: local cache " + name);
    ClusterCounters counters = new ClusterCounters(bench.hdfs());
    counters.begin();
    Tally tally = ReplayMapper.run(bench.conf(), tasks, start, bench.path(name.replace(' ', '-')),
        new ReplayMapper.Order(bench.path("input").toString(), THREADS, LATE_MILLIS));
    TimeUnit.MILLISECONDS.sleep(ClusterCounters.AGE_MILLIS);
    return new Phase(name, tally, counters.end());
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.replay.benchmark.BenchmarkCommand.Bench;
import io.hdfslocalcache.replay.benchmark.Mapping.Places;
import io.hdfslocalcache.replay.text.Checks;
import io.hdfslocalcache.replay.text.Checks.Bytes;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Inputs;
import io.hdfslocalcache.replay.trace.Trace;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Does the reads of a trace again, each reader's in a task, at their times. Writes and
 * short-circuit reads of the trace are left out. The idea, and how lateness is counted, are from
 * Hadoop's Dynamometer, which does it for a NameNode.
 */
@Command(name = "replay", description = "Benchmark: does the reads of a trace again, at their "
    + "times, by a MapReduce job with a mapper for each reader.")
public final class Replay extends BenchmarkCommand {

  /** Threads and their buffers have to fit into one process. */
  private static final int EMBEDDED_MAPPERS = 16;
  private static final int WRITERS_PER_DATANODE = 2;
  private static final double MILLIS = 1000;
  private static final double HOUR_MILLIS = 3_600_000;

  @Mixin
  private Inputs inputs;

  @Parameters(paramLabel = "TRACE", arity = "1..*", description = "The trace.")
  private List<Path> files;

  @Option(names = "--rate", paramLabel = "N", defaultValue = "1",
      description = "How much faster than in the trace time passes (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(names = "--mappers", paramLabel = "N", description = "Number of mappers at most, which "
      + "share the readers; default: one for each reader, with --embedded 16 at most.")
  private Integer mappers;

  @Option(names = "--threads", paramLabel = "N", defaultValue = "8",
      description = "Reads that a mapper has in progress at most (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(names = "--late-ms", paramLabel = "N", defaultValue = "100", description = "A read that "
      + "begins later than this after its time is late (default: ${DEFAULT-VALUE}).")
  private long lateMillis;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "0",
      description = "Seconds of the run from its beginning whose reads are done but are in no "
          + "figure, with the local cache off and on alike (default: ${DEFAULT-VALUE}).")
  private double warmUp;

  @Option(names = "--data", paramLabel = "PATH", description = "Files in HDFS to read; written if "
      + "the directory is not there, and kept. Default: written and deleted.")
  private String data;

  @Option(names = "--max-data", paramLabel = "SIZE", defaultValue = "2g", converter = Bytes.class,
      description = "How much to write at most, for each replica (default: ${DEFAULT-VALUE}).")
  private long maxBytes;

  @Option(names = "--striped", paramLabel = "POLICY", description = "Writes the data erasure-coded "
      + "with a policy such as RS-3-2-1024k, in full block groups; with --hdd, on as many "
      + "DataNodes and HDDs as a group has internal blocks. Elsewhere, the policy must be enabled.")
  private String policy;

  private Trace trace;
  private int tasks;

  @Override
  double rate() {
    return rate;
  }

  @Override
  int dataNodes() {
    return policy == null ? 1
        : striping().getNumDataUnits() + striping().getNumParityUnits();
  }

  private ErasureCodingPolicy striping() {
    ErasureCodingPolicy found = SystemErasureCodingPolicies.getByName(policy);
    Checks.require(found != null, "not a policy such as RS-6-3-1024k: " + policy);
    return found;
  }

  @Override
  long warmUpMillis() {
    return (long) (warmUp * MILLIS);
  }

  /**
   * @throws IOException if the trace does not tell who read, if nobody did, or if it is over before
   *     the warm-up
   */
  @Override
  void check() throws IOException {
    Checks.moreThanZero("--rate", rate);
    Checks.atLeast("--threads", threads, 1);
    Checks.atLeast("--late-ms", lateMillis, 0);
    Checks.atLeast("--warm-up", warmUp, 0);
    if (mappers != null) {
      Checks.atLeast("--mappers", mappers, 1);
    }
    if (policy != null) {
      striping();
    }
    trace = inputs.load(files);
    if (!trace.hasReaders()) {
      throw new IOException(
          "the trace has no column reader, so it cannot be replayed by reader");
    }
    if (Mapping.blocksRead(trace) == 0) {
      throw new IOException("there are no reads in the trace");
    }
    long millis = (long) (trace.spanMillis() / rate);
    if (warmUpMillis() > 0 && warmUpMillis() >= millis) {
      // A run that is all warm-up has no figures.
      throw new IOException(Text.format("--warm-up: the trace at this rate takes %.1f s, "
          + "so that nothing would be left", millis / MILLIS));
    }
  }

  private static org.apache.hadoop.fs.Path input(Bench bench) {
    return new org.apache.hadoop.fs.Path(bench.directory(), "input");
  }

  @Override
  Map<String, Tally> prepare(Bench bench) throws IOException, InterruptedException {
    Mapping mapping = new Mapping(trace, places(bench));
    ReplayTasks all = new ReplayTasks(trace, rate,
        mappers != null ? mappers : isEmbedded() ? EMBEDDED_MAPPERS : 0);
    all.write(bench.hdfs(), input(bench), mapping);
    tasks = all.number();
    settings.put("trace", Inputs.names(files));
    settings.put("rate", rate);
    settings.put("hours of the trace", trace.spanMillis() / HOUR_MILLIS);
    settings.put("readers in the trace", trace.readers().size());
    if (policy != null) {
      settings.put("erasure coding policy", policy);
    }
    settings.put("tasks", tasks);
    settings.put("threads of a task", threads);
    settings.put("late after ms", lateMillis);
    settings.put("warm-up, ms, in no figure", warmUpMillis());
    settings.put("blocks read in the trace", Mapping.blocksRead(trace));
    settings.put("blocks to read here", mapping.places().all().size());
    settings.put("bytes to read from", mapping.places().bytes());
    settings.put("reads to do", all.operations());
    settings.put("not to be done: writes, short-circuit", all.notReads());
    settings.put("not to be done: without bytes", all.empty());
    settings.put("offset wrapped, block too large", mapping.wrapped());
    settings.put("length shortened, block too large", mapping.shortened());
    return Map.of();
  }

  /** @return the blocks to read, which are written if they are not there. */
  private Places places(Bench bench) throws IOException, InterruptedException {
    org.apache.hadoop.fs.Path directory = data != null ? new org.apache.hadoop.fs.Path(data)
        : new org.apache.hadoop.fs.Path(bench.directory(), "data");
    if (!bench.hdfs().exists(directory)) {
      long length = blockSize(bench);
      int blocks = (int) Math.max(1, Math.min(Mapping.blocksRead(trace), maxBytes / length));
      int nodes = bench.hdfs().getDataNodeStats(DatanodeReportType.LIVE).length;
      int perFile = policy == null ? 1 : stripe(bench, directory);
      int files = Math.max(1, blocks / perFile);
      bench.say("Writing " + files * perFile + " blocks of " + length + " bytes");
      WriteMapper.write(bench, "local cache replay write", directory, files,
          Math.min(files, Math.max(1, WRITERS_PER_DATANODE * nodes)), perFile * length, length);
    }
    return Places.find(bench.hdfs(), directory);
  }

  /** Makes a directory whose files are erasure-coded. @return blocks of data in a group */
  private int stripe(Bench bench, org.apache.hadoop.fs.Path directory) throws IOException {
    if (isEmbedded()) {
      bench.hdfs().enableErasureCodingPolicy(policy);
    }
    bench.hdfs().mkdirs(directory);
    bench.hdfs().setErasureCodingPolicy(directory, policy);
    return striping().getNumDataUnits();
  }

  @Override
  Map<String, Tally> read(Bench bench, org.apache.hadoop.fs.Path output, long startMillis)
      throws IOException, InterruptedException {
    return new TaskJob("local cache replay", ReplayMapper.class, tasks, startMillis, output)
        .run(bench, new ReplayMapper.Order(input(bench).toString(), threads, lateMillis,
            warmUpMillis()));
  }
}

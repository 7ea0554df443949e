/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.replay.benchmark.Benchmark;
import io.hdfslocalcache.replay.benchmark.replay.Replay;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The reads of a trace, again. */
@Command(name = "replay", description = "Benchmark: does the reads of a trace again, at their "
    + "times, by a MapReduce job with a mapper for each reader.")
final class ReplayCommand extends BenchmarkCommand {

  /** Threads and their buffers have to fit into one process. */
  private static final int EMBEDDED_MAPPERS = 16;
  private static final double MILLIS = 1000;

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

  @Option(names = "--block-size", paramLabel = "SIZE", converter = Bytes.class,
      description = "Size of the blocks that are written; default: the cluster's.")
  private long blockSize;

  @Override
  double rate() {
    return rate;
  }

  @Override
  Benchmark benchmark() throws IOException {
    Checks.moreThanZero("--rate", rate);
    Checks.atLeast("--threads", threads, 1);
    Checks.atLeast("--late-ms", lateMillis, 0);
    Checks.atLeast("--warm-up", warmUp, 0);
    if (mappers != null) {
      Checks.atLeast("--mappers", mappers, 1);
    }
    int most = mappers != null ? mappers : isEmbedded() ? EMBEDDED_MAPPERS : 0;
    return new Replay(inputs.load(files), new Replay.Options(
        Inputs.names(files), rate, most, threads, lateMillis, (long) (warmUp * MILLIS), data,
        maxBytes, blockSize));
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import io.hdfslocalcache.replay.benchmark.Benchmark;
import io.hdfslocalcache.replay.benchmark.Baseline;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One file on one DataNode. */
@Command(name = "baseline", description = "Benchmark: writes a file to one DataNode and reads it "
    + "again and again, by a MapReduce job.")
final class BaselineCommand extends BenchmarkCommand {

  @Option(names = "--datanode", paramLabel = "HOST[:PORT]",
      description = "Which DataNode; default: any.")
  private String dataNode;

  @Option(names = "--size", paramLabel = "SIZE", defaultValue = "256m", converter = Bytes.class,
      description = "Length of the file (default: ${DEFAULT-VALUE}).")
  private long size;

  @Option(names = "--block-size", paramLabel = "SIZE", converter = Bytes.class,
      description = "Size of its blocks; default: the cluster's.")
  private long blockSize;

  @Option(names = "--passes", paramLabel = "N", defaultValue = "10",
      description = "How often the file is read (default: ${DEFAULT-VALUE}).")
  private int passes;

  @Override
  Benchmark benchmark() {
    Checks.atLeast("--passes", passes, 1);
    return new Baseline(new Baseline.Options(dataNode, size, blockSize, passes));
  }
}

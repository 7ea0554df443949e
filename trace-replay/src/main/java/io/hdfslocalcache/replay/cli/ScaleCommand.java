/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import io.hdfslocalcache.replay.benchmark.Benchmark;
import io.hdfslocalcache.replay.benchmark.Scale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Many files, many readers. */
@Command(name = "scale", description = "Benchmark: writes files and reads them with many readers "
    + "at a time, by MapReduce jobs.")
final class ScaleCommand extends BenchmarkCommand {

  @Option(names = "--files", paramLabel = "N", defaultValue = "8",
      description = "Number of files (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(names = "--size", paramLabel = "SIZE", defaultValue = "64m", converter = Bytes.class,
      description = "Length of a file (default: ${DEFAULT-VALUE}).")
  private long size;

  @Option(names = "--block-size", paramLabel = "SIZE", converter = Bytes.class,
      description = "Size of their blocks; default: the cluster's.")
  private long blockSize;

  @Option(names = "--readers", paramLabel = "N", defaultValue = "8",
      description = "Number of readers, one mapper for each (default: ${DEFAULT-VALUE}).")
  private int readers;

  @Option(names = "--random", description = "Reads at random places, not from beginning to end.")
  private boolean random;

  @Option(names = "--read-size", paramLabel = "SIZE", defaultValue = "64k", converter = Bytes.class,
      description = "Bytes of a read (default: ${DEFAULT-VALUE}).")
  private long readSize;

  @Option(names = "--passes", paramLabel = "N", defaultValue = "3", description = "How often each "
      + "reader reads as many bytes as a file has (default: ${DEFAULT-VALUE}).")
  private int passes;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
      description = "The same seed gives the same places (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  Benchmark benchmark() {
    Checks.atLeast("--files", files, 1);
    Checks.atLeast("--readers", readers, 1);
    Checks.atLeast("--passes", passes, 1);
    Checks.require(readSize <= Integer.MAX_VALUE, "--read-size: must be less than 2g");
    return new Scale(new Scale.Options(
        files, size, blockSize, readers, random, (int) readSize, passes, seed));
  }
}

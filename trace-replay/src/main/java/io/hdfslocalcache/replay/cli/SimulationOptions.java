/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.text.Text.Checks;
import io.hdfslocalcache.replay.trace.Trace;
import picocli.CommandLine.Option;

/** Options of simulations. */
final class SimulationOptions {

  private static final double MB = 1e6;

  @Option(names = "--threads", paramLabel = "N", description = "Number of concurrent "
      + "simulations (default: one for each processor; in a task on YARN one).")
  private Integer threads;

  @Option(names = "--seek-ms", paramLabel = "MS", description = "Milliseconds before the first "
      + "byte of an HDD's read (default: ${DEFAULT-VALUE}).")
  private double seekMillis = Disk.DEFAULT.seekMillis();

  @Option(names = "--disk-mb-per-s", paramLabel = "MB", description = "Read rate of an HDD in "
      + "MB/s (10^6 bytes; default: ${DEFAULT-VALUE}).")
  private double diskRate = Disk.DEFAULT.bytesPerSecond() / MB;

  @Option(names = "--disks", paramLabel = "N", description = "Number of HDDs with the "
      + "blocks (default: ${DEFAULT-VALUE}).")
  private int disks = Disk.DEFAULT.count();

  @Option(names = "--overload", paramLabel = "X", description = "Scales the HDDs' speed so that, "
      + "without a local cache, the trace needs X times what they can serve, such as 1.5 "
      + "(default: no scaling).")
  private Double overload;

  void check() {
    Checks.require(threads == null || threads >= 1,
        "--threads: must be at least 1, not " + threads);
    Checks.require(seekMillis >= 0 && diskRate > 0,
        "--seek-ms and --disk-mb-per-s: must not be negative or 0");
    Checks.require(disks >= 1, "--disks: must be at least 1, not " + disks);
    Checks.require(overload == null || overload > 0 && overload < Double.POSITIVE_INFINITY,
        "--overload: must be more than 0, not " + overload);
  }

  int threads() {
    return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
  }

  /** @return the same for a task, which has one processor on YARN. */
  int threadsOfATask(boolean isOnYarn) {
    return threads == null && isOnYarn ? 1 : threads();
  }

  /** @return the HDDs of a simulated DataNode. */
  Disk disk(Trace trace) {
    Disk disk = new Disk(seekMillis, diskRate * MB, disks);
    return overload == null ? disk : disk.withLoad(trace, overload);
  }
}

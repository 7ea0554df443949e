/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.text.Text.Checks;
import io.hdfslocalcache.replay.trace.Trace;
import picocli.CommandLine.Option;

/** How to simulate. */
final class SimulationOptions {

  private static final double MB = 1e6;

  @Option(names = "--threads", paramLabel = "N", description = "How many simulations run at a "
      + "time (default: one for each processor; in a task on YARN one).")
  private Integer threads;

  @Option(names = "--seek-ms", paramLabel = "MS", description = "Milliseconds of an HDD's read "
      + "before its first byte (default: ${DEFAULT-VALUE}).")
  private double seekMillis = Disk.DEFAULT.seekMillis();

  @Option(names = "--disk-mb-per-s", paramLabel = "MB", description = "MB (10^6 bytes) an HDD "
      + "reads in a second (default: ${DEFAULT-VALUE}).")
  private double diskRate = Disk.DEFAULT.bytesPerSecond() / MB;

  @Option(names = "--disks", paramLabel = "N", description = "HDDs over which the blocks are "
      + "spread (default: ${DEFAULT-VALUE}).")
  private int disks = Disk.DEFAULT.count();

  @Option(names = "--overload", paramLabel = "X", description = "Makes the HDDs slower or faster "
      + "by one factor, so that without a local cache the trace asks them for X times what they "
      + "can serve, such as 1.5 (default: as they are).")
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

  /** @return the same for a task, which has a processor for itself on YARN. */
  int threadsOfATask(boolean isOnYarn) {
    return threads == null && isOnYarn ? 1 : threads();
  }

  /** @return the HDDs of a DataNode on which a trace is played. */
  Disk disk(Trace trace) {
    Disk disk = new Disk(seekMillis, diskRate * MB, disks);
    return overload == null ? disk : disk.withLoad(trace, overload);
  }
}

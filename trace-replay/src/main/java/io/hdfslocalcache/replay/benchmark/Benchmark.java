/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.util.Map;

import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.apache.hadoop.fs.Path;

/** One of the benchmarks. */
public interface Benchmark {

  /** @return its name, as on the command line. */
  String name();

  /** @return what it was told, by name, for the report. */
  Map<String, Object> settings();

  /** @return milliseconds since the readers begin that shall be in no figure; 0 if all shall. */
  default long warmUpMillis() {
    return 0;
  }

  /**
   * Makes what will be read.
   *
   * @return tallies of that by name; none if nothing was measured
   */
  Map<String, Tally> prepare(Bench bench) throws IOException, InterruptedException;

  /**
   * Reads, once.
   *
   * @param output directory for the tasks' tallies; made by the job
   * @param startMillis when all tasks begin, in milliseconds since 1970
   * @return tallies by name; {@link Phase#WARM_UP} is that of reads that belong to the warm-up
   */
  Map<String, Tally> run(Bench bench, Path output, long startMillis)
      throws IOException, InterruptedException;
}

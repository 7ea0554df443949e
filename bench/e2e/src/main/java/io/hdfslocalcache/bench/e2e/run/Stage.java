/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;

/** A part of the benchmark with clusters of its own. */
interface Stage {

  /** @return number of measurements, for the progress display. */
  int steps();

  /** Measures, and takes away all it made. */
  void run() throws IOException, InterruptedException;
}

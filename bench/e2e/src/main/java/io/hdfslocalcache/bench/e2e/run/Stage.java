/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;

/** A part of the benchmark with processes of its own. */
interface Stage {

  /** @return what it measures, for messages. */
  String name();

  /** @return about how many seconds it takes, for the progress display. */
  double estimate();

  /** Measures, and takes away all it made. */
  void run() throws IOException, InterruptedException;
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import java.io.Closeable;
import java.io.IOException;

import org.apache.hadoop.conf.Configuration;

/** A cluster that was started for a benchmark. */
public interface BenchmarkCluster extends Closeable {

  /** @return what a client or an admin command needs to find it. */
  Configuration conf();

  /** Brings it into the same state before each of the readers' turns. */
  default void beforePhase() throws IOException, InterruptedException {
    // Nothing has to be done.
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Path;

import io.hdfslocalcache.bench.e2e.cluster.Build;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.e2e.report.Results;
import io.hdfslocalcache.harness.disk.Undo;

/** What all stages work with. */
record Setting(Build build, Options options, Results results) {

  /** Bytes of a file, which is one block. */
  static final long FILE = 128L << 20;
  /** Bytes of block data in a page. */
  static final long PAGE = 1L << 20;

  /** Tells the user what is done now. */
  void say(String what) {
    System.out.println(what);
  }

  /** @return where a stage keeps its clusters' files. */
  Path work(String stage) {
    return options.directory().resolve(stage);
  }

  /** @return what a stage has to take away; {@code bench/run} knows the file. */
  Undo undo(String stage) {
    return new Undo(Path.of(System.getProperty("bench.undo", work(stage) + ".undo")));
  }

  /** @return a cluster that was not started yet. */
  Cluster cluster(Places places, Variant variant) throws IOException {
    return new Cluster(build, places, variant);
  }

  /** A part of the benchmark with processes of its own. */
  interface Stage {

    /** @return what it measures, for messages. */
    String name();

    /** Measures, and takes away all it made. */
    void run() throws IOException, InterruptedException;
  }
}

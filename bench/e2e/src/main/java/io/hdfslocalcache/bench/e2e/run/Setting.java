/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.nio.file.Path;

import io.hdfslocalcache.bench.e2e.cluster.Build;
import io.hdfslocalcache.bench.e2e.report.Results;
import io.hdfslocalcache.bench.e2e.report.SliceLog;

/**
 * What all stages work with.
 *
 * @param directory where results go that are no figures
 */
record Setting(Build build, Options options, Results results, SliceLog slices,
    Progress progress, Path directory) {

  /** Bytes of a file, which is one block. */
  static final long FILE = 128L << 20;
  /** Bytes of block data in a page. */
  static final long PAGE = 1L << 20;
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.Path;

/** Creates files, reads them, which fills pages, and deletes them, which removes the pages. */
final class Churn extends Background {

  private static final int KEPT = 3;
  private static final int LENGTH = 200_000;
  private static final int READS = 3;

  private final LocalCacheCluster cluster;
  private final Deque<String> files = new ArrayDeque<>();
  private volatile int rounds;

  Churn(LocalCacheCluster cluster) {
    this.cluster = cluster;
    begin("churn");
  }

  @Override
  void again() throws IOException {
    String name = "/churn/" + rounds++;
    byte[] bytes = cluster.write(name, LENGTH);
    files.add(name);
    for (int i = 0; i < READS; i++) {
      readAndCompare(cluster, name, bytes);
    }
    if (files.size() > KEPT) {
      cluster.fs().delete(new Path(files.remove()), false);
    }
  }

  /** @return files created so far. */
  int rounds() {
    return rounds;
  }
}

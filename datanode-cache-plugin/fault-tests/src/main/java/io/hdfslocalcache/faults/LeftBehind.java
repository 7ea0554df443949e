/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.harness.Wait;

/**
 * What a DataNode holds that has stopped.
 *
 * @param threads threads of the local cache
 * @param files open files on its SSDs and in memory
 */
public record LeftBehind(int threads, List<String> files) {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Counts, and waits for a while for what is about to end. */
  static LeftBehind by(FaultCluster cluster) throws IOException {
    Wait.until(() -> count(cluster).isNothing(), PATIENCE, 100);
    return count(cluster);
  }

  private static LeftBehind count(FaultCluster cluster) throws IOException {
    List<String> files = new ArrayList<>(Threads.openBelow(cluster.ssd().directory()));
    files.addAll(Threads.openBelow(cluster.otherDirectory()));
    files.addAll(Threads.openInMemory());
    return new LeftBehind(Threads.ofLocalCache(), files);
  }

  /** @return whether all is given back. */
  public boolean isNothing() {
    return threads == 0 && files.isEmpty();
  }

  @Override
  public String toString() {
    return threads + " threads, open files " + files;
  }
}

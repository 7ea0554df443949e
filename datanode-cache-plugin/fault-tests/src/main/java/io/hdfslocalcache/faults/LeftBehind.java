/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a DataNode holds that has stopped.
 *
 * @param threads threads of the local cache
 * @param files open files on its SSDs and in memory
 */
public record LeftBehind(int threads, List<String> files) {

  private static final int ATTEMPTS = 300;

  /** Counts, and waits for a while for what is about to end. */
  static LeftBehind by(FaultCluster cluster) throws IOException {
    LeftBehind left = count(cluster);
    for (int i = 0; i < ATTEMPTS && !left.isNothing(); i++) {
      ScenarioRun.sleep(100);
      left = count(cluster);
    }
    return left;
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

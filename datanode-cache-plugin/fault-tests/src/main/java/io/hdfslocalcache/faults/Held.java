/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;

/**
 * What the DataNode holds when nobody reads.
 *
 * @param threads threads of the local cache
 * @param descriptors open files on the SSDs
 * @param pages pages in the index
 * @param files page files on the SSDs; -1 if some went while they were counted
 * @param unfinished files of fills that did not come to their end
 * @param corrupt replicas reported to the NameNode
 */
public record Held(int threads, long descriptors, long pages, long files, long unfinished,
    long corrupt) {

  /** Counts. */
  public static Held by(FaultCluster cluster) throws IOException {
    return new Held(Threads.ofLocalCache(),
        Threads.descriptorsBelow(cluster.ssd().directory())
            + Threads.descriptorsBelow(cluster.otherDirectory()),
        cluster.cluster().cache(0).index().pages(), cluster.pageFiles(),
        cluster.unfinishedFiles(), cluster.corruptReplicas());
  }

  @Override
  public String toString() {
    return threads + " threads, " + descriptors + " descriptors, " + pages + " pages, " + files
        + " page files, " + unfinished + " unfinished files, " + corrupt + " corrupt replicas";
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.ssd.TestingSsd;

/**
 * Resources that the DataNode holds when nobody reads and the local cache is off.
 *
 * @param busy threads that use an SSD, or hang on it
 * @param threads threads of the local cache
 * @param descriptors open files on the SSDs
 * @param memory bytes of pages in memory, and of buffers
 * @param memoryFiles open files in memory
 * @param pages pages in the index
 * @param files page files on the SSDs; -1 if some were deleted during the count
 * @param unfinished files of unfinished fills
 * @param corrupt replicas reported to the NameNode
 */
public record Held(int busy, int threads, long descriptors, long memory, long memoryFiles,
    long pages, long files, long unfinished, long corrupt) {

  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  /** Switches the local cache off, counts, and switches it on again. */
  public static Held by(FaultCluster cluster) throws IOException {
    OnOff onOff = cluster.cluster().interceptor(0).onOff();
    onOff.setOn(false, "fault test");
    try {
      // The DataNode ends a read a little later than its client.
      Wait.until(() -> memory(cluster) + openInMemory(cluster).size() == 0, PATIENCE, 10);
      return new Held(cluster.sick().io().activeThreads() + cluster.well().io().activeThreads(),
          threadsNow(), openOnSsds(cluster).size(), memory(cluster), openInMemory(cluster).size(),
          cluster.cluster().cache(0).index().pages(), cluster.pageFiles(),
          cluster.unfinishedFiles(), cluster.corruptReplicas());
    } finally {
      onOff.setOn(true, "fault test");
    }
  }

  private static long memory(FaultCluster cluster) {
    var memory = cluster.cluster().cache(0).memory().gauges();
    return memory.usedBytes() + memory.bufferBytes();
  }

  private static List<String> openInMemory(FaultCluster cluster) throws IOException {
    return TestingSsd.openFilesBelow(cluster.memory().directory());
  }

  private static List<String> openOnSsds(FaultCluster cluster) throws IOException {
    List<String> open = TestingSsd.openFilesBelow(cluster.ssd().directory());
    open.addAll(TestingSsd.openFilesBelow(cluster.otherDirectory()));
    return open;
  }

  private static int threadsNow() {
    return (int) Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("local-cache-")).count();
  }

  /** @return what a stopped DataNode still holds, after some time at most; should be empty */
  static List<String> byStopped(FaultCluster cluster) throws IOException {
    Wait.until(() -> countByStopped(cluster).isEmpty(), STOP_PATIENCE, 100);
    return countByStopped(cluster);
  }

  private static List<String> countByStopped(FaultCluster cluster) throws IOException {
    List<String> held = openOnSsds(cluster);
    held.addAll(openInMemory(cluster));
    if (threadsNow() > 0) {
      held.add(threadsNow() + " threads");
    }
    return held;
  }

  /** @return what has leaked since then, in words. */
  public List<String> leaks(Held before) {
    List<String> leaks = new ArrayList<>();
    require(leaks, corrupt == 0, "replicas were reported corrupt");
    require(leaks, unfinished == 0, "unfinished files");
    require(leaks, pages == files, "pages and page files differ");
    require(leaks, busy == 0, "threads that an SSD holds");
    require(leaks, descriptors <= before.descriptors, "open files on the SSDs");
    require(leaks, memory + memoryFiles == 0, "memory");
    return leaks;
  }

  private static void require(List<String> all, boolean holds, String otherwise) {
    if (!holds) {
      all.add(otherwise);
    }
  }

  @Override
  public String toString() {
    return threads + " threads, " + busy + " of them busy, " + descriptors + " descriptors, "
        + memory + " bytes in " + memoryFiles + " files and buffers in memory, " + pages
        + " pages, " + files + " page files, " + unfinished + " unfinished files, " + corrupt
        + " corrupt replicas";
  }
}

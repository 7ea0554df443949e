/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.admin.OnOff;

/**
 * What the DataNode holds when nobody reads and the local cache is off.
 *
 * @param busy threads that do something on an SSD, or are held by it
 * @param threads threads of the local cache
 * @param descriptors open files on the SSDs
 * @param memory bytes of pages in memory, and of buffers
 * @param memoryFiles open files in memory
 * @param pages pages in the index
 * @param files page files on the SSDs; -1 if some went while they were counted
 * @param unfinished files of fills that did not come to their end
 * @param corrupt replicas reported to the NameNode
 */
public record Held(int busy, int threads, long descriptors, long memory, long memoryFiles,
    long pages, long files, long unfinished, long corrupt) {

  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** Switches the local cache off, counts, and switches it on again. */
  public static Held by(FaultCluster cluster) throws IOException {
    OnOff onOff = cluster.cluster().interceptor(0).onOff();
    onOff.setOn(false, "fault test");
    try {
      // A read that ended for its client ends for the DataNode a little later.
      Wait.until(() -> memory(cluster) + Threads.memoryFiles() == 0, PATIENCE, 10);
      return new Held(cluster.sick().io().activeThreads() + cluster.well().io().activeThreads(),
          Threads.ofLocalCache(), Threads.descriptorsBelow(cluster.ssd().directory())
              + Threads.descriptorsBelow(cluster.otherDirectory()),
          memory(cluster), Threads.memoryFiles(),
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

  /** @return what is held that was not held before, and should not be, in words. */
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

  private static void require(List<String> leaks, boolean holds, String otherwise) {
    if (!holds) {
      leaks.add(otherwise);
    }
  }

  @Override
  public String toString() {
    return threads + " threads, " + busy + " of them busy, " + descriptors + " descriptors, "
        + memory + " bytes in " + memoryFiles + " files and buffers in memory, " + pages
        + " pages, " + files + " page files, " + unfinished + " unfinished files, " + corrupt
        + " corrupt replicas";
  }

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

  /** What this process holds. */
  static final class Threads {

    private Threads() {
    }

    /** @return number of threads of local caches. */
    static int ofLocalCache() {
      return (int) Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("local-cache-")).count();
    }

    /** @return number of open file descriptors below a directory, deleted files included. */
    static long descriptorsBelow(Path directory) throws IOException {
      return openBelow(directory).size();
    }

    /** @return names of the open files below a directory, deleted ones included. */
    static List<String> openBelow(Path directory) throws IOException {
      return open(name -> name.startsWith(directory.toString()));
    }

    /** @return number of open files in the memory of local caches. */
    static long memoryFiles() throws IOException {
      return openInMemory().size();
    }

    /** @return names of the open files in the memory of local caches. */
    static List<String> openInMemory() throws IOException {
      return open(name -> name.contains("/hdfs-local-cache-"));
    }

    private static List<String> open(Predicate<String> which) throws IOException {
      try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
        return descriptors.map(Threads::target).filter(which).toList();
      }
    }

    private static String target(Path descriptor) {
      try {
        return Files.readSymbolicLink(descriptor).toString();
      } catch (IOException e) {
        return "";
      }
    }
  }
}

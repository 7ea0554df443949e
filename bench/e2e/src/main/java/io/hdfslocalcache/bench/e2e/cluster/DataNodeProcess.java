/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.harness.Daemon;

/** A running DataNode and what can be seen of it from outside. */
public final class DataNodeProcess implements AutoCloseable {

  /** The metrics that the web page shows may be as old as this. */
  private static final long METRICS_AGE_MILLIS = 300;

  private final Daemon daemon;
  private final Jmx jmx;

  private DataNodeProcess(Daemon daemon, Jmx jmx) {
    this.daemon = daemon;
    this.jmx = jmx;
  }

  static DataNodeProcess await(Daemon daemon, int webPort)
      throws IOException, InterruptedException {
    DataNodeProcess node = new DataNodeProcess(daemon, new Jmx(webPort));
    try {
      daemon.await("register with the NameNode", node::isRegistered);
      return node;
    } catch (IOException | InterruptedException e) {
      daemon.close();
      throw e;
    }
  }

  private boolean isRegistered() throws IOException, InterruptedException {
    return jmx.bean("Hadoop:service=DataNode,name=DataNodeInfo")
        .path("BPServiceActorInfo").toString().contains("RUNNING");
  }

  /** Waits until no page is left. */
  void awaitEmpty() throws IOException, InterruptedException {
    daemon.await("empty its local cache", () -> counters().pages() == 0);
  }

  /** Waits until it has no file open below a directory but the lock of it. */
  void awaitNoFileOpen(Path directory) throws IOException, InterruptedException {
    Path open = Path.of("/proc", String.valueOf(pid()), "fd");
    daemon.await("close its page files", () -> {
      try (Stream<Path> files = Files.list(open)) {
        return files.filter(file -> isBelow(file, directory)).count() <= 1;
      }
    });
  }

  private static boolean isBelow(Path link, Path directory) {
    try {
      return Files.readSymbolicLink(link).startsWith(directory);
    } catch (IOException e) {
      // Closed meanwhile.
      return false;
    }
  }

  /** Waits until no page waits to be filled, for a while. */
  public void awaitFills() throws IOException, InterruptedException {
    for (int quiet = 0; quiet < 2; quiet++) {
      daemon.await("end its fills", () -> counters().fillQueue() == 0);
      Thread.sleep(METRICS_AGE_MILLIS);
    }
  }

  /** Waits until all SSDs are in their normal state. */
  public void awaitNormal() throws IOException, InterruptedException {
    daemon.await("find its SSD in order", () -> freshCounters().normal());
  }

  /** @return what the local cache has counted up to now. */
  public CacheCounters counters() throws IOException, InterruptedException {
    JsonNode bean = jmx.bean("Hadoop:service=DataNode,name=DataNodeLocalCache*");
    return CacheCounters.of(bean);
  }

  /** @return the same when the metrics are surely newer than this call. */
  public CacheCounters freshCounters() throws IOException, InterruptedException {
    Thread.sleep(METRICS_AGE_MILLIS);
    return counters();
  }

  /** @return CPU time that its threads have used up to now. */
  public CpuTimes cpu() throws IOException {
    return CpuTimes.of(daemon.process().pid());
  }

  public long pid() {
    return daemon.process().pid();
  }

  @Override
  public void close() {
    daemon.close();
  }
}

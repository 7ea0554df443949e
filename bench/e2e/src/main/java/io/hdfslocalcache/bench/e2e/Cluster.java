/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.ProcessCluster;
import io.hdfslocalcache.harness.ProcessCluster.Places;
import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;

/** One of the compared DataNodes, with its NameNode and its clients. */
final class Cluster implements AutoCloseable {

  private static final String HEAP = "-Xmx512m";
  /** Maximum age of the metrics on the web page. */
  private static final long METRICS_AGE_MILLIS = 300;

  private final Hadoop hadoop;
  private final Variant variant;
  private final long capacity;
  private final ProcessCluster cluster;
  private BenchFiles files;

  /** Starts nothing. @param capacity capacity for pages in bytes */
  Cluster(Hadoop hadoop, Places places, long capacity, Variant variant) throws IOException {
    this.hadoop = hadoop;
    this.variant = variant;
    this.capacity = capacity;
    this.cluster = new ProcessCluster(places, hadoop.stock());
    // By default, the NameNode checks cache directives every 30 s.
    cluster.set(Map.of("dfs.namenode.path.based.cache.refresh.interval.ms", "1000",
        "dfs.cachereport.intervalMsec", "1000",
        // Small disks must be filled completely.
        "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0"));
  }

  /** Writes the files of all clusters, through a stock DataNode, which is then closed. */
  static void write(Hadoop hadoop, Places places, int files)
      throws IOException, InterruptedException {
    try (Cluster written = new Cluster(hadoop, places, 0, Variant.STOCK)) {
      written.cluster.format();
      written.start();
      written.files.write(files);
    }
  }

  /** Starts it on files written by another cluster. */
  void start(Places written) throws IOException {
    cluster.share(written);
    start();
  }

  private void start() throws IOException {
    Map<String, String> own = new HashMap<>(variant.conf());
    String ssd = cluster.places().ssd().toString();
    own.replaceAll((key, value) -> value.replace(Variant.SSD, ssd)
        .replace(Variant.HDD, cluster.places().data().toString()));
    if (variant.isPatched()) {
      own.put(LocalCacheKeys.DIRECTORIES, ssd);
      own.put(LocalCacheKeys.REQUIRE_MOUNT, "false");
      own.put(LocalCacheKeys.CAPACITY, String.valueOf(capacity));
    }
    cluster.start(hadoop.jvm(variant.build()).with(HEAP), own);
    files = new BenchFiles(cluster.address());
  }

  Variant variant() {
    return variant;
  }

  String name() {
    return variant.name();
  }

  BenchFiles files() {
    return files;
  }

  private Daemon dataNode() {
    return cluster.dataNode();
  }

  /** Reads files and compares every byte; twice if that fills pages, so that they are read too. */
  void verify(int number) throws IOException, InterruptedException {
    files.verify(number);
    if (variant.isAdmittingAll() && variant.isCaching()) {
      fill(number);
    }
    if (variant.isCaching()) {
      files.verify(number);
    }
  }

  /**
   * Reads files until all their pages are cached. Fills are throttled and their queue is bounded:
   * pages refused in one pass are filled in a later one.
   */
  void fill(int number) throws IOException, InterruptedException {
    long wanted = number * (BenchFiles.LENGTH >> 20);
    for (int pass = 1; pass <= 100; pass++) {
      awaitFills();
      if (counters(true).pages() >= wanted) {
        return;
      }
      Load.run(files, Load.files(1, 0, number));
    }
    throw dataNode().failure("has cached " + counters(true).pages() + " pages of " + wanted);
  }

  /** Clears the local cache by command. */
  void clear() throws IOException, InterruptedException {
    localCache("clear");
    dataNode().await("empty its local cache", () -> counters(false).pages() == 0);
  }

  /** Frees the pages in memory, so that the next hits are read from the SSD. */
  void closePages() throws IOException, InterruptedException {
    localCache("off");
    // The lock of the directory stays open.
    dataNode().await("close its page files", () -> openFilesOnSsd() <= 1);
    localCache("on");
  }

  private void localCache(String verb) throws IOException, InterruptedException {
    cluster.admin(hadoop.jvm(variant.build()), "hdfs localcache",
        "io.hdfslocalcache.admin.LocalCacheCommand", verb, cluster.dataNodeIpc());
  }

  private long openFilesOnSsd() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/" + dataNode().process().pid(), "fd"))) {
      return open.filter(link -> {
        try {
          return Files.readSymbolicLink(link).startsWith(cluster.places().ssd());
        } catch (IOException e) {
          // Closed meanwhile.
          return false;
        }
      }).count();
    }
  }

  /** Caches files in Hadoop's centralized cache, and waits until they are cached. */
  void cacheByOrder(List<Integer> some) throws IOException {
    files.cacheByOrder(some);
    dataNode().await("cache files by order", () ->
        cluster.dataNodeJmx().bean("Hadoop:service=DataNode,name=FSDatasetState*")
            .path("NumBlocksCached").asLong() == some.size());
  }

  /** Sets the storage policy of files, and moves their replicas. */
  void store(List<Integer> some, String policy) throws IOException, InterruptedException {
    files.setPolicy(some, policy);
    List<String> paths = new ArrayList<>(List.of("-p"));
    some.forEach(file -> paths.add(BenchFiles.name(file)));
    cluster.admin(hadoop.stock(), "hdfs mover", "org.apache.hadoop.hdfs.server.mover.Mover",
        paths.toArray(String[]::new));
    dataNode().await("have the replicas on the SSD", () -> {
      try (Stream<Path> all = Files.walk(cluster.places().ssd())) {
        return all.filter(path -> path.getFileName().toString().matches("blk_\\d+")).count()
            == some.size();
      }
    });
  }

  /** Restarts the DataNode. Clients' open streams are closed. */
  void restartDataNode() throws IOException {
    files.close();
    cluster.restartDataNode();
    files = new BenchFiles(cluster.address());
  }

  /** Waits for a while until the fill queue is empty. */
  void awaitFills() throws IOException {
    for (int quiet = 0; quiet < 2; quiet++) {
      dataNode().await("end its fills", () -> counters(false).fillQueue() == 0);
      Wait.millis(METRICS_AGE_MILLIS);
    }
  }

  /** Waits until all SSDs are in their normal state. */
  void awaitNormal() throws IOException {
    dataNode().await("find its SSD in order", () -> counters(true).isNormal());
  }

  /** @return CPU time of the DataNode so far. */
  CpuTime cpu() throws IOException {
    return CpuTime.of(dataNode().process().pid());
  }

  /**
   * The local cache's counters.
   *
   * @param fresh whether the counters have to be newer than this call
   */
  Counters counters(boolean fresh) throws IOException {
    if (fresh) {
      Wait.millis(METRICS_AGE_MILLIS);
    }
    return Counters.of(
        cluster.dataNodeJmx().bean("Hadoop:service=DataNode,name=DataNodeLocalCache-*"));
  }

  /**
   * Counters of the local cache. All zero in a stock DataNode.
   *
   * @param hit bytes of data to clients from pages
   * @param served bytes of data to clients, from any source
   * @param pages cached pages
   * @param fillQueue pages that wait to be filled
   * @param filled bytes of data in filled pages
   * @param errors errors of all kinds
   * @param isNormal whether all SSDs are normal; otherwise nothing is filled
   */
  record Counters(long hit, long served, long pages, long fillQueue, long filled, long errors,
      boolean isNormal) {

    static Counters of(JsonNode bean) {
      long errors = 0;
      boolean normal = true;
      for (Map.Entry<String, JsonNode> field : bean.properties()) {
        if (field.getKey().startsWith("Errors")) {
          errors += field.getValue().asLong();
        } else if (field.getKey().startsWith("State.")) {
          normal &= field.getValue().asLong() == 0;
        }
      }
      long hit = bean.path("BytesHit").asLong();
      return new Counters(hit,
          hit + bean.path("BytesMiss").asLong() + bean.path("BytesBypass").asLong(),
          bean.path("Pages").asLong(), bean.path("FillQueuePages").asLong(),
          bean.path("FillBytes").asLong(), errors, normal);
    }
  }

  @Override
  public void close() throws IOException {
    try (cluster) {
      if (files != null) {
        files.close();
      }
    }
  }
}

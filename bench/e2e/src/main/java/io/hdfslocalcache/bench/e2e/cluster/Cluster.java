/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.bench.e2e.client.ShortCircuitDataNode;
import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.JavaCommand;
import io.hdfslocalcache.harness.Jmx;
import io.hdfslocalcache.harness.Ports;
import io.hdfslocalcache.harness.SiteFile;
import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;

/**
 * One of the DataNodes that are compared, and its NameNode: each in a process of its own, on free
 * ports of the loopback interface. What can be seen of the DataNode is seen from outside.
 */
public final class Cluster implements AutoCloseable {

  private static final String HEAP = "-Xmx512m";
  private static final String SOCKET = "dfs.domain.socket.path";
  /** The metrics that the web page shows may be as old as this. */
  private static final long METRICS_AGE_MILLIS = 300;

  private final Build build;
  private final Places places;
  private final Variant variant;
  private final Map<String, String> common = new HashMap<>();
  private final String address;
  private final String dataNodeIpc;
  private final Jmx nameNodeJmx;
  private final Jmx dataNodeJmx;
  private Daemon nameNode;
  private Daemon dataNode;

  /**
   * Chooses ports; nothing is started.
   *
   * @param variant which DataNode
   */
  public Cluster(Build build, Places places, Variant variant) throws IOException {
    this.build = build;
    this.places = places;
    this.variant = variant;
    List<String> free =
        Arrays.stream(Ports.free(5)).mapToObj(port -> "127.0.0.1:" + port).toList();
    this.address = "hdfs://" + free.get(0);
    this.nameNodeJmx = new Jmx(URI.create("http://" + free.get(1)));
    this.dataNodeJmx = new Jmx(URI.create("http://" + free.get(2)));
    this.dataNodeIpc = free.get(3);
    common.put("fs.defaultFS", address);
    common.put("hadoop.tmp.dir", temporary().toString());
    common.put("dfs.namenode.name.dir", places.name().toString());
    common.put("dfs.namenode.http-address", free.get(1));
    common.put("dfs.namenode.safemode.extension", "0");
    common.put("dfs.replication", "1");
    common.put("dfs.datanode.data.dir", places.data().toString());
    common.put("dfs.datanode.http.address", free.get(2));
    common.put("dfs.datanode.ipc.address", dataNodeIpc);
    common.put("dfs.datanode.address", free.get(4));
    // What is ordered to be cached is looked at by the NameNode every 30 s otherwise.
    common.put("dfs.namenode.path.based.cache.refresh.interval.ms", "1000");
    common.put("dfs.cachereport.intervalMsec", "1000");
    common.putAll(SiteFile.QUIET_DISKS);
    if (variant.isShortCircuit()) {
      common.put(SOCKET, places.base().resolve("socket").toString());
    }
  }

  /** @return which DataNode it is. */
  public Variant variant() {
    return variant;
  }

  /** @return the DataNode's name in tables. */
  public String name() {
    return variant.name();
  }

  /** @return of the NameNode, for clients. */
  public String address() {
    return address;
  }

  /** @return keys that clients read with. */
  Map<String, String> clientConf() {
    Map<String, String> conf = new HashMap<>(variant.client());
    if (variant.isShortCircuit()) {
      conf.put(SOCKET, common.get(SOCKET));
      conf.put("dfs.client.context", variant.name());
    }
    return conf;
  }

  private Path temporary() {
    return places.base().resolve("tmp");
  }

  private Path log(String name) {
    return places.base().resolve(name + ".log");
  }

  /** Makes a new file system, before {@link #start}. */
  public void format() throws IOException, InterruptedException {
    Files.createDirectories(temporary());
    List<String> command = nameNodeCommand();
    command.addAll(List.of("-format", "-force", "-nonInteractive"));
    Daemon.run("The NameNode's -format", command, log("format"));
  }

  /** Takes over the file system of a cluster that was closed, before {@link #start}. */
  public void share(Places written) throws IOException {
    Files.createDirectories(temporary());
    Places.share(written.name(), places.name());
    Places.share(written.data(), places.data());
  }

  /** Starts both, and returns when clients can read. */
  public void start() throws IOException {
    nameNode = Daemon.start("The NameNode", nameNodeCommand(), log("namenode"));
    dataNode = startDataNode();
    dataNode.await("register with the NameNode", () ->
        dataNodeJmx.bean("Hadoop:service=DataNode,name=DataNodeInfo")
            .path("BPServiceActorInfo").toString().contains("RUNNING"));
    nameNode.await("leave safe mode", () -> {
      var safe = nameNodeJmx.bean("Hadoop:service=NameNode,name=NameNodeInfo").path("Safemode");
      return safe.isTextual() && safe.asText().isEmpty();
    });
  }

  private List<String> nameNodeCommand() throws IOException {
    Path conf = places.base().resolve("conf-namenode");
    Build.configure(conf, common);
    return build.command(
        places.base(), Build.MODEST, conf, build.stock(), JavaCommand.NAME_NODE);
  }

  private Daemon startDataNode() throws IOException {
    Places.empty(places.ssd());
    Path conf = places.base().resolve("conf-datanode");
    Map<String, String> settings = new HashMap<>(common);
    settings.putAll(variant.conf());
    if (variant.patched()) {
      settings.put(LocalCacheKeys.DIRECTORIES, places.ssd().toString());
      settings.put(LocalCacheKeys.REQUIRE_MOUNT, "false");
      settings.put(LocalCacheKeys.CAPACITY, String.valueOf(places.capacityBytes()));
    }
    settings.replaceAll(
        (key, value) -> value.equals(Variant.SSD) ? places.ssd().toString() : value);
    Build.configure(conf, settings);
    List<String> command = variant.isShortCircuit()
        ? build.command(places.base(), List.of(HEAP, build.libraryPath()), conf,
            build.stock() + File.pathSeparator + build.client(),
            ShortCircuitDataNode.class.getName())
        : build.command(places.base(), List.of(HEAP), conf,
            variant.patched() ? build.patched() : build.stock(), JavaCommand.DATA_NODE);
    return Daemon.start("The DataNode (" + variant.name() + ")",
        JavaCommand.in(places.cgroups(), command), log("datanode"));
  }

  /** @throws IOException if no client has read past the DataNode, though it should */
  public void checkShortCircuit() throws IOException {
    JsonNode activity = dataNodeJmx.bean("Hadoop:service=DataNode,name=DataNodeActivity-*");
    if (variant.isShortCircuit() && activity.path("BlocksGetLocalPathInfo").asLong() == 0) {
      throw dataNode.failure("has opened no replica for a short-circuit read");
    }
  }

  /** Takes all pages out of the local cache, as an operator does. */
  public void clear() throws IOException, InterruptedException {
    localCache("clear");
    dataNode.await("empty its local cache", () -> counters().pages() == 0);
  }

  /** Frees the pages in memory, so that the next hits are read from the SSD. */
  public void closePages() throws IOException, InterruptedException {
    localCache("off");
    // The lock of the directory stays open.
    dataNode.await("close its page files", () -> openFilesOnSsd() <= 1);
    localCache("on");
  }

  private void localCache(String verb) throws IOException, InterruptedException {
    admin("hdfs localcache", "io.hdfslocalcache.admin.LocalCacheCommand", verb, dataNodeIpc);
  }

  /**
   * Has Hadoop's own cache take in files of one block, and waits until they are there.
   *
   * @param files their names
   */
  public void cacheByOrder(List<String> files) throws IOException, InterruptedException {
    String admin = "org.apache.hadoop.hdfs.tools.CacheAdmin";
    admin("hdfs cacheadmin", admin, "-addPool", "hot");
    for (String file : files) {
      admin("hdfs cacheadmin", admin, "-addDirective", "-path", file, "-pool", "hot");
    }
    dataNode.await("cache " + files, () ->
        dataNodeJmx.bean("Hadoop:service=DataNode,name=FSDatasetState*")
            .path("NumBlocksCached").asLong() == files.size());
  }

  private void admin(String name, String main, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = build.command(places.base(), Build.MODEST,
        places.base().resolve("conf-namenode"), build.patched(), main);
    command.addAll(List.of(arguments));
    Daemon.run(name + " " + arguments[0], command, log(arguments[0]));
  }

  private long openFilesOnSsd() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", String.valueOf(pid()), "fd"))) {
      return files.filter(this::isOnSsd).count();
    }
  }

  private boolean isOnSsd(Path link) {
    try {
      return Files.readSymbolicLink(link).startsWith(places.ssd());
    } catch (IOException e) {
      // Closed meanwhile.
      return false;
    }
  }

  /** Waits until no page waits to be filled, for a while. */
  public void awaitFills() throws IOException {
    for (int quiet = 0; quiet < 2; quiet++) {
      dataNode.await("end its fills", () -> counters().fillQueue() == 0);
      Wait.millis(METRICS_AGE_MILLIS);
    }
  }

  /** Waits until all SSDs are in their normal state. */
  public void awaitNormal() throws IOException {
    dataNode.await("find its SSD in order", () -> freshCounters().normal());
  }

  /** @return what the local cache has counted up to now. */
  public CacheCounters counters() throws IOException {
    return CacheCounters.of(dataNodeJmx.bean("Hadoop:service=DataNode,name=DataNodeLocalCache-*"));
  }

  /** @return the same when the metrics are surely newer than this call. */
  public CacheCounters freshCounters() throws IOException {
    Wait.millis(METRICS_AGE_MILLIS);
    return counters();
  }

  /** @return CPU time that the DataNode's threads have used up to now. */
  public CpuTimes cpu() throws IOException {
    return CpuTimes.of(pid());
  }

  private long pid() {
    return dataNode.process().pid();
  }

  @Override
  public void close() {
    Stream.of(dataNode, nameNode).filter(daemon -> daemon != null).forEach(Daemon::close);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.JavaCommand;
import io.hdfslocalcache.harness.Ports;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;

/**
 * A NameNode and a DataNode: each in a process of its own, on free ports of the loopback interface.
 */
public final class Cluster implements AutoCloseable {

  private static final String HEAP = "-Xmx512m";

  private final Build build;
  private final Places places;
  private final List<String> dataNodeOptions;
  private final HadoopCommand java;
  private final Map<String, String> common = new HashMap<>();
  private final int nameNodePort;
  private final int nameNodeWebPort;
  private final int dataNodeWebPort;
  private final int dataNodeIpcPort;
  private Daemon nameNode;
  private DataNodeProcess dataNode;

  /** @param dataNodeOptions further options for the DataNode's JVM */
  public Cluster(Build build, Places places, List<String> dataNodeOptions) throws IOException {
    this.build = build;
    this.places = places;
    this.dataNodeOptions = dataNodeOptions;
    this.java = new HadoopCommand(build, places.base());
    int[] ports = Ports.free(5);
    this.nameNodePort = ports[0];
    this.dataNodeWebPort = ports[1];
    this.nameNodeWebPort = ports[2];
    this.dataNodeIpcPort = ports[4];
    common.put("fs.defaultFS", address());
    common.put("hadoop.tmp.dir", places.base().resolve("tmp").toString());
    common.put("dfs.namenode.name.dir", name(places).toString());
    common.put("dfs.namenode.http-address", "127.0.0.1:" + nameNodeWebPort);
    common.put("dfs.namenode.safemode.extension", "0");
    common.put("dfs.replication", "1");
    common.put("dfs.datanode.data.dir", places.data().toString());
    common.put("dfs.datanode.http.address", "127.0.0.1:" + dataNodeWebPort);
    common.put("dfs.datanode.address", "127.0.0.1:" + ports[3]);
    common.put("dfs.datanode.ipc.address", "127.0.0.1:" + dataNodeIpcPort);
    // What reads the disks on its own would be counted as the clients' reads.
    common.put("dfs.datanode.directoryscan.interval", "-1");
    common.put("dfs.block.scanner.volume.bytes.per.second", "0");
    common.put("fs.getspaceused.classname", "org.apache.hadoop.fs.DFCachingGetSpaceUsed");
  }

  private static Path name(Places places) {
    return places.base().resolve("name");
  }

  /** @return of the NameNode, for clients. */
  public String address() {
    return "hdfs://127.0.0.1:" + nameNodePort;
  }

  /** Makes a new file system, before {@link #start}. */
  public void format() throws IOException, InterruptedException {
    Files.createDirectories(places.base().resolve("tmp"));
    List<String> command = nameNode();
    command.addAll(List.of("-format", "-force", "-nonInteractive"));
    Daemon.run("The NameNode's -format", command, log("format"));
  }

  /** Takes over the file system of a cluster that was closed, before {@link #start}. */
  public void share(Places written) throws IOException {
    Files.createDirectories(places.base().resolve("tmp"));
    SharedData.copy(name(written), name(places));
    SharedData.copy(written.data(), places.data());
  }

  /** Starts both. @return the DataNode, when clients can read from it. */
  public DataNodeProcess start(Variant variant) throws IOException, InterruptedException {
    nameNode = Daemon.start("The NameNode", nameNode(), log("namenode"));
    Jmx jmx = new Jmx(nameNodeWebPort);
    dataNode = DataNodeProcess.await(startDataNode(variant), dataNodeWebPort);
    nameNode.await("leave safe mode", () -> {
      var safe = jmx.bean("Hadoop:service=NameNode,name=NameNodeInfo").path("Safemode");
      return safe.isTextual() && safe.asText().isEmpty();
    });
    return dataNode;
  }

  private Path log(String name) {
    return places.base().resolve(name + ".log");
  }

  private List<String> nameNode() throws IOException {
    Path conf = places.base().resolve("conf-namenode");
    HadoopCommand.configure(conf, common);
    return java.of(HadoopCommand.MODEST, conf, build.stock(), JavaCommand.NAME_NODE);
  }

  private Daemon startDataNode(Variant variant) throws IOException {
    Trees.empty(places.ssd());
    Path conf = places.base().resolve("conf-datanode");
    Map<String, String> settings = new HashMap<>(common);
    settings.putAll(variant.conf());
    if (variant.patched()) {
      settings.put(LocalCacheKeys.DIRECTORIES, places.ssd().toString());
      settings.put(LocalCacheKeys.REQUIRE_MOUNT, "false");
      settings.put(LocalCacheKeys.CAPACITY, String.valueOf(places.capacityBytes()));
    }
    HadoopCommand.configure(conf, settings);
    List<String> options = new ArrayList<>(List.of(HEAP));
    options.addAll(dataNodeOptions);
    List<String> command = java.of(options, conf,
        variant.patched() ? build.patched() : build.stock(), JavaCommand.DATA_NODE);
    return Daemon.start("The DataNode (" + variant.name() + ")",
        JavaCommand.in(places.cgroups(), command), log("datanode"));
  }

  /** Takes all pages out of the local cache, as an operator does. */
  public void clear() throws IOException, InterruptedException {
    localCache("clear");
    dataNode.awaitEmpty();
  }

  /** Frees the pages in memory, so that the next hits are read from the SSD. */
  public void closePages() throws IOException, InterruptedException {
    localCache("off");
    dataNode.awaitNoFileOpen(places.ssd());
    localCache("on");
  }

  private void localCache(String verb) throws IOException, InterruptedException {
    List<String> command = java.of(HadoopCommand.MODEST, places.base().resolve("conf-namenode"),
        build.patched(), "io.hdfslocalcache.admin.LocalCacheCommand");
    command.addAll(List.of(verb, "127.0.0.1:" + dataNodeIpcPort));
    Daemon.run("hdfs localcache " + verb, command, log(verb));
  }

  @Override
  public void close() {
    if (dataNode != null) {
      dataNode.close();
    }
    if (nameNode != null) {
      nameNode.close();
    }
  }
}

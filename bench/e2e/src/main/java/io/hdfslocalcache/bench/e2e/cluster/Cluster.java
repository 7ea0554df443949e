/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;

/**
 * A NameNode that stays, and one DataNode at a time on the same data: each in a process of its own,
 * on free ports of the loopback interface.
 */
public final class Cluster implements AutoCloseable {

  private static final String HEAP = "-Xmx1g";

  private final Build build;
  private final Places places;
  private final List<String> dataNodeOptions;
  private final Map<String, String> common = new HashMap<>();
  private final int nameNodePort;
  private final int dataNodeWebPort;
  private Daemon nameNode;
  private Client client;
  private int starts;

  /** @param dataNodeOptions further options for the DataNode's JVM */
  public Cluster(Build build, Places places, List<String> dataNodeOptions) throws IOException {
    this.build = build;
    this.places = places;
    this.dataNodeOptions = dataNodeOptions;
    int[] ports = freePorts(5);
    this.nameNodePort = ports[0];
    this.dataNodeWebPort = ports[1];
    common.put("fs.defaultFS", address());
    common.put("hadoop.tmp.dir", places.base().resolve("tmp").toString());
    common.put("dfs.namenode.name.dir", places.base().resolve("name").toString());
    common.put("dfs.namenode.http-address", "127.0.0.1:" + ports[2]);
    common.put("dfs.replication", "1");
    common.put("dfs.heartbeat.interval", "1");
    common.put("dfs.datanode.data.dir", places.data().toString());
    common.put("dfs.datanode.http.address", "127.0.0.1:" + dataNodeWebPort);
    common.put("dfs.datanode.address", "127.0.0.1:" + ports[3]);
    common.put("dfs.datanode.ipc.address", "127.0.0.1:" + ports[4]);
    // What reads the disks on its own would be counted as the clients' reads.
    common.put("dfs.datanode.directoryscan.interval", "-1");
    common.put("dfs.block.scanner.volume.bytes.per.second", "0");
    common.put("fs.getspaceused.classname", "org.apache.hadoop.fs.DFCachingGetSpaceUsed");
  }

  private static int[] freePorts(int n) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < n; i++) {
        sockets.add(new ServerSocket(0));
      }
      return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  private String address() {
    return "hdfs://127.0.0.1:" + nameNodePort;
  }

  /** Makes a new file system and starts the NameNode. */
  public void start() throws IOException, InterruptedException {
    Path conf = places.base().resolve("conf-namenode");
    SiteFile.write(conf, common);
    List<String> command = java(List.of(), conf, build.stock(),
        "org.apache.hadoop.hdfs.server.namenode.NameNode");
    List<String> format = new ArrayList<>(command);
    format.addAll(List.of("-format", "-force", "-nonInteractive"));
    Daemon.run("The NameNode's -format", format, log("format"));
    nameNode = Daemon.start("The NameNode", command, log("namenode"));
  }

  private Path log(String name) {
    return places.base().resolve(name + ".log");
  }

  private List<String> java(List<String> more, Path conf, String classPath, String main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(build.jvmOptions());
    command.addAll(List.of(HEAP, "-Djava.net.preferIPv4Stack=true",
        "-Djava.io.tmpdir=" + places.base().resolve("tmp")));
    command.addAll(more);
    command.addAll(List.of("-cp", conf + ":" + classPath, main));
    return command;
  }

  /**
   * The readers' process.
   *
   * @param fileLength bytes of each of the benchmark's files, and of an HDFS block
   */
  public Client client(long fileLength) throws IOException {
    if (client == null) {
      Path conf = places.base().resolve("conf-client");
      SiteFile.write(conf, Map.of());
      List<String> command = java(List.of(), conf, build.client(), Client.MAIN);
      command.addAll(List.of(address(), String.valueOf(fileLength)));
      client = new Client(Daemon.startForDialogue("The client", command, log("client")));
    }
    return client;
  }

  /** Starts a DataNode on the data, with an empty local cache if it has one. */
  public DataNodeProcess startDataNode(Variant variant) throws IOException, InterruptedException {
    nameNode.checkAlive();
    Trees.empty(places.ssd());
    Path conf = places.base().resolve("conf-datanode");
    Map<String, String> settings = new HashMap<>(common);
    settings.putAll(variant.conf());
    if (variant.patched()) {
      settings.put(LocalCacheKeys.DIRECTORIES, places.ssd().toString());
      settings.put(LocalCacheKeys.CAPACITY, String.valueOf(places.capacityBytes()));
    }
    SiteFile.write(conf, settings);
    List<String> command = java(dataNodeOptions, conf,
        variant.patched() ? build.patched() : build.stock(),
        "org.apache.hadoop.hdfs.server.datanode.DataNode");
    Daemon daemon = Daemon.start("The DataNode (" + variant.name() + ")",
        inCgroup(command), log("datanode-" + ++starts + "-" + variant.name().replace(' ', '-')));
    return DataNodeProcess.await(daemon, dataNodeWebPort);
  }

  /** The shell enters the group, and becomes the DataNode. */
  private List<String> inCgroup(List<String> command) {
    if (places.cgroup() == null) {
      return command;
    }
    List<String> wrapped = new ArrayList<>(List.of(
        "sh", "-c", "echo $$ > \"$0\" && exec \"$@\"", places.cgroup().toString()));
    wrapped.addAll(command);
    return wrapped;
  }

  /** Switches the local cache on, as an operator does. */
  public void switchOn() throws IOException, InterruptedException {
    List<String> command = java(List.of(), places.base().resolve("conf-namenode"),
        build.patched(), "org.apache.hadoop.hdfs.tools.DFSAdmin");
    command.addAll(List.of("-setLocalCache", "on"));
    Daemon.run("hdfs dfsadmin -setLocalCache on", command, log("dfsadmin"));
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    if (nameNode != null) {
      nameNode.close();
    }
  }

  /** Makes the directories that a cluster needs. */
  public static void prepare(Places places) throws IOException {
    Trees.empty(places.base());
    Files.createDirectories(places.base().resolve("tmp"));
    discard(places);
  }

  /** Deletes what takes space. The logs stay. */
  public static void discard(Places places) throws IOException {
    Trees.empty(places.data());
    Trees.empty(places.ssd());
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The configuration of a NameNode and DataNodes on this host, each a process of its own, which may
 * run from different Hadoop trees.
 */
final class ProcessCluster {

  private static final int BLOCK_SIZE = 4 << 20;
  /** Below those that the kernel gives to whoever asks for any: nobody takes them meanwhile. */
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 12_000;

  private final Path directory;
  private final int nameNodePort;
  private final int nameNodeHttpPort;
  private final List<Integer> ipcPorts = new ArrayList<>();
  private final List<Integer> httpPorts = new ArrayList<>();

  /**
   * @param directory of everything but the programs
   */
  ProcessCluster(Path directory, int dataNodes) throws IOException {
    this.directory = directory;
    List<ServerSocket> free = new ArrayList<>();
    for (int i = 0; i < 2 * dataNodes + 2; i++) {
      free.add(freePort());
    }
    for (ServerSocket socket : free) {
      socket.close();
    }
    nameNodePort = free.get(0).getLocalPort();
    nameNodeHttpPort = free.get(1).getLocalPort();
    free.subList(2, 2 + dataNodes).forEach(socket -> ipcPorts.add(socket.getLocalPort()));
    free.subList(2 + dataNodes, free.size())
        .forEach(socket -> httpPorts.add(socket.getLocalPort()));
  }

  private static ServerSocket freePort() throws IOException {
    while (true) {
      int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
      try {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
      } catch (BindException e) {
        // Somebody listens there: another one.
      }
    }
  }

  /** The port at which a DataNode, 1 or more, answers commands. */
  int ipcPort(int dataNode) {
    return ipcPorts.get(dataNode - 1);
  }

  /**
   * Writes the configuration of a DataNode, and with it those of NameNode and clients. The keys of
   * the local cache are in {@code local-cache-site.xml}, which need not be there.
   */
  void configure(Path conf, int dataNode) throws IOException {
    Files.createDirectories(conf);
    write(conf.resolve("core-site.xml"), Map.of(
        "fs.defaultFS", "hdfs://127.0.0.1:" + nameNodePort,
        "hadoop.prometheus.endpoint.enabled", true,
        "hadoop.tmp.dir", directory.resolve("tmp").toString()), "");
    Map<String, Object> hdfs = new LinkedHashMap<>();
    hdfs.put("dfs.blocksize", BLOCK_SIZE);
    hdfs.put("dfs.replication", 2);
    hdfs.put("dfs.heartbeat.interval", 1);
    hdfs.put("dfs.namenode.name.dir", directory.resolve("name"));
    hdfs.put("dfs.namenode.http-address", "127.0.0.1:" + nameNodeHttpPort);
    hdfs.put("dfs.namenode.safemode.extension", 0);
    // One NameNode: clients wait while it restarts.
    hdfs.put("dfs.client.retry.policy.enabled", true);
    hdfs.put("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
    hdfs.put("dfs.datanode.data.dir", directory.resolve("data-" + dataNode));
    hdfs.put("dfs.datanode.address", "127.0.0.1:0");
    hdfs.put("dfs.datanode.http.address", "127.0.0.1:" + httpPorts.get(dataNode - 1));
    hdfs.put("dfs.datanode.ipc.address", "127.0.0.1:" + ipcPort(dataNode));
    hdfs.put("dfs.datanode.du.reserved", 0);
    // The tests' SSDs are directories of this machine.
    hdfs.put("dfs.datanode.local.cache.require.mount", false);
    write(conf.resolve("hdfs-site.xml"), hdfs, "  <include"
        + " xmlns=\"http://www.w3.org/2001/XInclude\" href=\"local-cache-site.xml\"><fallback/>"
        + "</include>\n");
    Files.writeString(conf.resolve("log4j.properties"), """
        log4j.rootLogger=ERROR,stderr
        log4j.logger.org.apache.hadoop.hdfs.server=INFO
        log4j.logger.io.hdfslocalcache=INFO
        log4j.appender.stderr=org.apache.log4j.ConsoleAppender
        log4j.appender.stderr.target=System.err
        log4j.appender.stderr.layout=org.apache.log4j.PatternLayout
        log4j.appender.stderr.layout.ConversionPattern=%d{ISO8601} %p %c: %m%n
        """);
  }

  private static void write(Path file, Map<String, ?> properties, String more)
      throws IOException {
    StringBuilder xml = new StringBuilder("<configuration>\n");
    properties.forEach((name, value) -> xml.append("  <property><name>").append(name)
        .append("</name><value>").append(value).append("</value></property>\n"));
    Files.writeString(file, xml.append(more).append("</configuration>\n").toString());
  }
}

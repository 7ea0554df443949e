/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.SiteFile;

/**
 * The configuration of a NameNode and DataNodes on this host, each a process of its own, which may
 * run from different Hadoop trees.
 */
final class InstalledConf {

  private static final int BLOCK_SIZE = 4 << 20;

  private final Path directory;
  /** Two of the NameNode, then two of each DataNode. */
  private final int[] ports;

  /**
   * @param directory of everything but the programs
   */
  InstalledConf(Path directory, int dataNodes) throws IOException {
    this.directory = directory;
    this.ports = Daemon.freePorts(2 * dataNodes + 2);
  }

  /** The port at which a DataNode, 1 or more, answers commands. */
  int ipcPort(int dataNode) {
    return ports[2 * dataNode];
  }

  /**
   * Writes the configuration of a DataNode, and with it those of NameNode and clients. The keys of
   * the local cache are in {@code local-cache-site.xml}, which need not be there.
   */
  void configure(Path conf, int dataNode) throws IOException {
    Files.createDirectories(conf);
    SiteFile.write(conf.resolve("core-site.xml"), Map.of(
        "fs.defaultFS", "hdfs://127.0.0.1:" + ports[0],
        "hadoop.prometheus.endpoint.enabled", true,
        "hadoop.tmp.dir", directory.resolve("tmp").toString()).entrySet(), "");
    Map<String, Object> hdfs = new LinkedHashMap<>();
    hdfs.put("dfs.blocksize", BLOCK_SIZE);
    hdfs.put("dfs.replication", 2);
    hdfs.put("dfs.heartbeat.interval", 1);
    hdfs.put("dfs.namenode.name.dir", directory.resolve("name"));
    hdfs.put("dfs.namenode.http-address", "127.0.0.1:" + ports[1]);
    hdfs.put("dfs.namenode.safemode.extension", 0);
    // One NameNode: clients wait while it restarts.
    hdfs.put("dfs.client.retry.policy.enabled", true);
    hdfs.put("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
    hdfs.put("dfs.datanode.data.dir", directory.resolve("data-" + dataNode));
    hdfs.put("dfs.datanode.address", "127.0.0.1:0");
    hdfs.put("dfs.datanode.http.address", "127.0.0.1:" + ports[2 * dataNode + 1]);
    hdfs.put("dfs.datanode.ipc.address", "127.0.0.1:" + ipcPort(dataNode));
    hdfs.put("dfs.datanode.du.reserved", 0);
    // The tests' SSDs are directories of this machine.
    hdfs.put("dfs.datanode.local.cache.require.mount", false);
    SiteFile.write(conf.resolve("hdfs-site.xml"), hdfs.entrySet(), "  <include"
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
}

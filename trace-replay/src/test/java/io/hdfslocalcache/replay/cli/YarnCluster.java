/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.hdfslocalcache.replay.embedded.EmbeddedCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.junit.rules.TemporaryFolder;

/**
 * A real YARN with containers, and HDFS with one DataNode that has a local cache.
 *
 * @param hdfs the file system
 * @param yarn runs the tasks
 * @param site a file with the keys of both, for a command
 */
record YarnCluster(EmbeddedCluster hdfs, MiniMRYarnCluster yarn, File site) implements Closeable {

  /** Hadoop's default. The mini cluster's own is in a jar for tests. */
  static final String RACKS_BY_SCRIPT =
      "net.topology.node.switch.mapping.impl=org.apache.hadoop.net.ScriptBasedMapping";

  /** A task lasts only seconds, too short for the JIT compilers. */
  private static final String JVM_OPTIONS =
      "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1";
  private static final int HEARTBEAT_MILLIS = 200;

  /** Starts both. @param block bytes of a block */
  static YarnCluster start(TemporaryFolder folder, int block) throws IOException {
    Path directory = folder.newFolder("cluster").toPath();
    EmbeddedCluster hdfs = EmbeddedCluster.start(directory, null, Map.of(
        "dfs.datanode.local.cache.rate.limiter.threshold", "0",
        "dfs.datanode.local.cache.capacity", "64m", "dfs.blocksize", String.valueOf(block)), 1,
        null, 0);
    Configuration conf = hdfs.conf();
    conf.setInt("mapreduce.map.memory.mb", 512);
    conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    conf.setInt("yarn.scheduler.minimum-allocation-mb", 256);
    conf.set("mapreduce.map.java.opts", JVM_OPTIONS);
    conf.set("yarn.app.mapreduce.am.command-opts", JVM_OPTIONS);
    // Short tasks would wait for the next heartbeat most of the time.
    conf.setInt("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", HEARTBEAT_MILLIS);
    conf.setInt("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", HEARTBEAT_MILLIS);
    conf.setInt("mapreduce.client.completion.pollinterval", HEARTBEAT_MILLIS);
    conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    conf.setBoolean("yarn.nodemanager.disk-health-checker.enable", false);
    MiniMRYarnCluster yarn = new MiniMRYarnCluster("jobs", 1);
    yarn.init(conf);
    yarn.start();
    File site = folder.newFile("site.xml");
    try (OutputStream out = Files.newOutputStream(site.toPath())) {
      yarn.getConfig().writeXml(out);
    }
    return new YarnCluster(hdfs, yarn, site);
  }

  @Override
  public void close() {
    yarn.stop();
    hdfs.close();
  }
}

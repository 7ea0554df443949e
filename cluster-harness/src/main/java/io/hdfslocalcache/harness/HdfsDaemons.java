/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * NameNodes and DataNodes, in this process or in separate ones. Tests, benchmarks and the demo all
 * start their clusters here.
 */
public final class HdfsDaemons {

  private static final String NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
  private static final String DATA_NODE = "org.apache.hadoop.hdfs.server.datanode.DataNode";

  /** Clusters in this process. */
  private static final Set<MiniDFSCluster> STARTED = new HashSet<>();

  private HdfsDaemons() {
  }

  /**
   * Starts them in this process, and returns when they can be used. Deletions reach a DataNode
   * quickly, with the next heartbeat after the NameNode's check.
   *
   * @param conf their configuration, with the directories of their files
   * @param shape sets number and kind of the DataNodes
   */
  public static synchronized MiniDFSCluster inThisProcess(Configuration conf,
      Consumer<MiniDFSCluster.Builder> shape) throws IOException {
    for (String interval
        : List.of("dfs.heartbeat.interval", "dfs.namenode.redundancy.interval.seconds")) {
      String[] sources = conf.getPropertySources(interval);
      if (sources == null || sources[0].endsWith("-default.xml")) {
        conf.set(interval, "1");
      }
    }
    MiniDFSCluster.Builder builder = new MiniDFSCluster.Builder(conf);
    shape.accept(builder);
    endLeftMetrics();
    MiniDFSCluster cluster = builder.build();
    STARTED.add(cluster);
    try {
      cluster.waitActive();
      return cluster;
    } catch (IOException | RuntimeException | Error e) {
      cluster.shutdown();
      throw e;
    }
  }

  /**
   * Hadoop counts the daemons that use the JVM's metrics system. A daemon that did not end well would
   * leave it running, and its /prom would get the figures of all later clusters.
   */
  private static void endLeftMetrics() {
    // After a shutdown, isClusterUp may still be true.
    STARTED.removeIf(cluster -> cluster.getDataNodes().isEmpty());
    while (STARTED.isEmpty() && !DefaultMetricsSystem.instance().shutdown()) {
      // It takes one call for each of these daemons.
    }
  }

  /** Formats a NameNode's file system. @param conf directory of its configuration */
  public static void format(HadoopJvm jvm, Path conf, Path log)
      throws IOException, InterruptedException {
    Daemon.run("The NameNode's -format",
        jvm.command(conf, NAME_NODE, "-format", "-force", "-nonInteractive"), log);
  }

  /** Starts a NameNode as a process. @param conf directory of its configuration */
  public static Daemon nameNode(HadoopJvm jvm, Path conf, Path log) throws IOException {
    return Daemon.start("The NameNode", jvm.command(conf, NAME_NODE), log);
  }

  /** Starts a DataNode as a process. @param conf directory of its configuration */
  public static Daemon dataNode(HadoopJvm jvm, Path conf, Path log) throws IOException {
    return dataNode(jvm, conf, List.of(), log, log);
  }

  /**
   * The same.
   *
   * @param groups control groups to enter: files to which a process writes its id
   * @param output file for its output
   * @param log the log that it writes itself
   */
  public static Daemon dataNode(HadoopJvm jvm, Path conf, List<Path> groups, Path output,
      Path log) throws IOException {
    StringBuilder enter = new StringBuilder();
    groups.forEach(group -> enter.append("echo $$ > '").append(group).append("' && "));
    List<String> command = new ArrayList<>(List.of("sh", "-c",
        enter + "exec \"$0\" \"$@\""));
    command.addAll(jvm.command(conf, DATA_NODE));
    return Daemon.start("The DataNode", command, output, log);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.JavaCommand;
import io.hdfslocalcache.harness.SiteFile;
import io.hdfslocalcache.harness.disk.IoGroup;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.Undo;
import io.hdfslocalcache.replay.embedded.EmbeddedOptions.BenchmarkCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * A NameNode in this process, and a patched DataNode with the local cache in a process of its own,
 * whose data is on an emulated HDD and whose memory, with the OS page cache, is limited. Needs root
 * and control groups.
 */
public final class HddCluster implements BenchmarkCluster {

  private static final String HEAP = "-Xmx512m";
  /** Where this process has its log; the DataNode's is beside it, and is still there afterwards. */
  private static final String LOG = "demo.log";
  private final Undo undo;
  private MiniDFSCluster nameNode;
  private Daemon dataNode;
  private IoGroup group;
  private Hdd hdd;

  private HddCluster(Undo undo) {
    this.undo = undo;
  }

  /**
   * The emulated HDD.
   *
   * @param bytes its size
   * @param bytesPerSecond it reads at most
   * @param readsPerSecond it does at most
   * @param memoryBytes what the DataNode's heap and the OS page cache for it may take
   */
  public record Hdd(long bytes, long bytesPerSecond, long readsPerSecond, long memoryBytes) {
  }

  /**
   * Starts the cluster. The HDD is as fast as it can be until {@link #beforePhase}.
   *
   * @throws IOException if it cannot; the message says what is missing
   */
  public static HddCluster start(EmbeddedCluster.Settings settings, Hdd hdd)
      throws IOException, InterruptedException {
    if (!IoGroup.isPossible()) {
      throw new IOException("an emulated HDD needs root and a control group for block devices; "
          + "--embedded runs without, and leaves out what a disk costs");
    }
    HddCluster cluster = new HddCluster(new Undo(settings.directory().resolve("undo")));
    boolean started = false;
    try {
      cluster.begin(settings, hdd);
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  private void begin(EmbeddedCluster.Settings settings, Hdd wanted)
      throws IOException, InterruptedException {
    hdd = wanted;
    Path directory = settings.directory();
    LoopDisk disk = LoopDisk.create(
        Files.createDirectories(directory.resolve("hdd")), hdd.bytes(), undo);
    group = IoGroup.create(disk, undo);
    Path memory = group.limitMemory(hdd.memoryBytes(), undo);
    Configuration conf = EmbeddedCluster.configuration(settings);
    nameNode = EmbeddedCluster.startDaemons(directory, conf, 0);
    // MiniDFSCluster sets as many replicas as it has started DataNodes.
    nameNode.getConfiguration(0).setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 1);
    Configuration own = new Configuration(nameNode.getConfiguration(0));
    own.set("dfs.datanode.data.dir", disk.mount().resolve("data").toUri().toString());
    SiteFile.ANY_PORTS.forEach(own::set);
    SiteFile.QUIET_DISKS.forEach(own::set);
    startDataNode(directory.resolve("datanode"), own, List.of(group.processes(), memory));
  }

  /** @return when the NameNode knows it. */
  private void startDataNode(Path directory, Configuration own, List<Path> groups)
      throws IOException, InterruptedException {
    SiteFile.writeAll(directory, own);
    String beside = System.getProperty(LOG);
    Path log = (beside == null ? directory.resolve(LOG) : Path.of(beside).toAbsolutePath())
        .resolveSibling("datanode.log");
    Files.deleteIfExists(log);
    List<String> command = JavaCommand.likeThis(
        List.of(HEAP, "-D" + LOG + "=" + log), directory, JavaCommand.DATA_NODE);
    dataNode = Daemon.start("the DataNode", JavaCommand.in(groups, command),
        directory.resolve("datanode.out"), log);
    try (DistributedFileSystem hdfs = (DistributedFileSystem) FileSystem.newInstance(conf())) {
      dataNode.await("register",
          () -> hdfs.getDataNodeStats(DatanodeReportType.LIVE).length > 0);
    }
  }

  @Override
  public Configuration conf() {
    return new Configuration(nameNode.getConfiguration(0));
  }

  /** Makes the HDD slow, and forgets what is in memory. */
  @Override
  public void beforePhase() throws IOException, InterruptedException {
    LoopDisk.dropCaches();
    group.limit(hdd.bytesPerSecond(), hdd.readsPerSecond());
  }

  @Override
  public void close() {
    if (dataNode != null) {
      dataNode.close();
    }
    if (nameNode != null) {
      nameNode.shutdown();
    }
    undo.close();
  }
}

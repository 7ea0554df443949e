/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.HadoopJvm;
import io.hdfslocalcache.harness.HdfsDaemons;
import io.hdfslocalcache.harness.SiteFile;
import io.hdfslocalcache.harness.disk.IoGroup;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.Undo;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.replay.embedded.EmbeddedOptions.BenchmarkCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * A NameNode in this process, and patched DataNodes with the local cache, each in a process of its
 * own, whose data is on an emulated HDD of its own and whose memory, with the OS page cache, is
 * limited. Needs root and control groups.
 */
public final class HddCluster implements BenchmarkCluster {

  private static final String HEAP = "-Xmx512m";
  /** Where this process has its log; the DataNodes' are beside it, and still there afterwards. */
  private static final String LOG = "demo.log";
  private final EmbeddedCluster.Settings settings;
  private final Hdd hdd;
  private final Undo undo;
  private final List<Daemon> dataNodes = new ArrayList<>();
  private final List<IoGroup> groups = new ArrayList<>();
  private MiniDFSCluster nameNode;

  private HddCluster(EmbeddedCluster.Settings settings, Hdd hdd) {
    this.settings = settings;
    this.hdd = hdd;
    this.undo = new Undo(settings.directory().resolve("undo"));
  }

  /**
   * The emulated HDD of each DataNode.
   *
   * @param bytes its size
   * @param bytesPerSecond it reads at most
   * @param readsPerSecond it does at most
   * @param memoryBytes what the DataNode's heap and the OS page cache for it may take
   */
  public record Hdd(long bytes, long bytesPerSecond, long readsPerSecond, long memoryBytes) {
  }

  /**
   * Starts the cluster. The HDDs are as fast as they can be until {@link #beforePhase}.
   *
   * @param settings what pages may take is for each DataNode
   * @param number of DataNodes
   * @throws IOException if it cannot; the message says what is missing
   */
  public static HddCluster start(EmbeddedCluster.Settings settings, Hdd hdd, int number)
      throws IOException, InterruptedException {
    if (!IoGroup.isPossible()) {
      throw new IOException("an emulated HDD needs root and a control group for block devices; "
          + "--embedded runs without, and leaves out what a disk costs");
    }
    HddCluster cluster = new HddCluster(settings, hdd);
    boolean started = false;
    try {
      cluster.begin(number);
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  private void begin(int number) throws IOException, InterruptedException {
    nameNode = EmbeddedCluster.startDaemons(
        settings.directory(), EmbeddedCluster.configuration(settings), 0);
    // MiniDFSCluster sets as many replicas as it has started DataNodes.
    nameNode.getConfiguration(0).setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 1);
    Files.createDirectories(settings.ssd());
    addDataNode("");
    for (int i = 2; i <= number; i++) {
      addDataNode("-" + i);
    }
  }

  /** @param suffix tells its files from those of the others */
  private void addDataNode(String suffix) throws IOException, InterruptedException {
    Path directory = settings.directory();
    LoopDisk disk = LoopDisk.create(
        Files.createDirectories(directory.resolve("hdd" + suffix)), hdd.bytes(), undo);
    IoGroup group = IoGroup.create(disk, undo);
    groups.add(group);
    Path memory = group.limitMemory(hdd.memoryBytes(), undo);
    Configuration own = new Configuration(nameNode.getConfiguration(0));
    own.set("dfs.datanode.data.dir", disk.mount().resolve("data").toUri().toString());
    own.set(LocalCacheKeys.DIRECTORIES, settings.ssd().resolve("pages" + suffix).toString());
    SiteFile.ANY_PORTS.forEach(own::set);
    SiteFile.QUIET_DISKS.forEach(own::set);
    startDataNode("datanode" + suffix, own, List.of(group.processes(), memory));
  }

  /** @return when the NameNode knows it. */
  private void startDataNode(String name, Configuration own, List<Path> processes)
      throws IOException, InterruptedException {
    Path directory = settings.directory().resolve(name);
    SiteFile.writeAll(directory, own);
    String beside = System.getProperty(LOG);
    Path log = (beside == null ? directory.resolve(LOG) : Path.of(beside).toAbsolutePath())
        .resolveSibling(name + ".log");
    Files.deleteIfExists(log);
    Daemon dataNode = HdfsDaemons.dataNode(HadoopJvm.likeThis(HEAP, "-D" + LOG + "=" + log),
        directory, processes, directory.resolve("datanode.out"), log);
    dataNodes.add(dataNode);
    try (DistributedFileSystem hdfs = (DistributedFileSystem) FileSystem.newInstance(conf())) {
      dataNode.await("register", () ->
          hdfs.getDataNodeStats(DatanodeReportType.LIVE).length >= dataNodes.size());
    }
  }

  @Override
  public Configuration conf() {
    return new Configuration(nameNode.getConfiguration(0));
  }

  /** Makes the HDDs slow, and forgets what is in memory. */
  @Override
  public void beforePhase() throws IOException, InterruptedException {
    LoopDisk.dropCaches();
    for (IoGroup group : groups) {
      group.limit(hdd.bytesPerSecond(), hdd.readsPerSecond());
    }
  }

  @Override
  public void close() {
    dataNodes.forEach(Daemon::close);
    if (nameNode != null) {
      nameNode.shutdown();
    }
    undo.close();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.HadoopJvm;
import io.hdfslocalcache.harness.HdfsDaemons;
import io.hdfslocalcache.harness.SiteFile;
import io.hdfslocalcache.harness.disk.IoGroup;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.Undo;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;

/**
 * A NameNode in this process, and patched DataNodes with the local cache, on free ports of the
 * loopback interface. There is one DataNode, in this process, and nothing needs root. Or there are
 * some on emulated HDDs: each in a process of its own, whose data is on an HDD of its own and whose
 * memory, with the OS page cache, is limited. These need root and control groups. Keeps everything in
 * the directories it is given and deletes neither.
 */
public final class EmbeddedCluster implements Closeable {

  /** Where the daemons' web servers unpack their pages, and leave them. */
  private static final String TEMPORARY_FILES = "java.io.tmpdir";
  private static final String HEAP = "-Xmx512m";
  /** Where this process has its log; the DataNodes' are beside it, and still there afterwards. */
  private static final String LOG = "demo.log";

  private final Settings settings;
  private final Hdd hdd;
  private final Undo undo;
  private final List<Daemon> processes = new ArrayList<>();
  private final List<IoGroup> groups = new ArrayList<>();
  private MiniDFSCluster cluster;

  private EmbeddedCluster(Settings settings, Hdd hdd) {
    this.settings = settings;
    this.hdd = hdd;
    this.undo = new Undo(settings.directory().resolve("undo"));
  }

  /**
   * What can be chosen.
   *
   * @param directory for the files of NameNode and DataNodes
   * @param ssd for the local caches' pages
   * @param capacityBytes bytes that the pages of a DataNode may take
   * @param blockSize bytes of a block
   * @param keys of the daemons, beside these
   * @param rate how much faster than on a clock time passes for the rate limiter
   */
  public record Settings(Path directory, Path ssd, long capacityBytes, long blockSize,
      Map<String, String> keys, double rate) {
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
   * Starts a cluster with one DataNode in this process, and returns when it can be used.
   *
   * @throws IOException if a daemon does not start; its message names the setting if one is wrong
   */
  public static EmbeddedCluster start(Settings settings) throws IOException {
    return start(new EmbeddedCluster(settings, null), 1, 0);
  }

  /**
   * Starts a cluster on HDDs, which are as fast as they can be until {@link #beforePhase}.
   *
   * @param number of DataNodes
   * @throws IOException if it cannot; the message says what is missing
   */
  public static EmbeddedCluster start(Settings settings, Hdd hdd, int number)
      throws IOException {
    if (!IoGroup.isPossible()) {
      throw new IOException("an emulated HDD needs root and a control group for block devices; "
          + "--embedded runs without, and leaves out what a disk costs");
    }
    return start(new EmbeddedCluster(settings, hdd), 0, number);
  }

  private static EmbeddedCluster start(EmbeddedCluster made, int here, int onHdds)
      throws IOException {
    boolean started = false;
    try {
      made.cluster = made.startHere(here);
      // MiniDFSCluster sets as many replicas as it has started DataNodes.
      made.cluster.getConfiguration(0).setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 1);
      Files.createDirectories(made.settings.ssd());
      for (int i = 1; i <= onHdds; i++) {
        made.addDataNode(i == 1 ? "" : "-" + i);
      }
      started = true;
      return made;
    } finally {
      if (!started) {
        made.close();
      }
    }
  }

  private MiniDFSCluster startHere(int dataNodes) throws IOException {
    Path temporary = Files.createDirectories(settings.directory().resolve("tmp"));
    String before = System.setProperty(TEMPORARY_FILES, temporary.toString());
    try {
      return HdfsDaemons.inThisProcess(configuration(settings), builder -> builder
          .numDataNodes(dataNodes).storagesPerDatanode(1));
    } finally {
      System.setProperty(TEMPORARY_FILES, before);
    }
  }

  /** @param suffix tells its files from those of the others */
  private void addDataNode(String suffix) throws IOException {
    Path directory = settings.directory();
    LoopDisk disk = LoopDisk.create(
        Files.createDirectories(directory.resolve("hdd" + suffix)), hdd.bytes(), undo);
    IoGroup group = IoGroup.create(disk, undo);
    groups.add(group);
    Path memory = group.limitMemory(hdd.memoryBytes(), undo);
    Configuration own = new Configuration(cluster.getConfiguration(0));
    own.set("dfs.datanode.data.dir", disk.mount().resolve("data").toUri().toString());
    own.set(LocalCacheKeys.DIRECTORIES, settings.ssd().resolve("pages" + suffix).toString());
    SiteFile.ANY_PORTS.forEach(own::set);
    SiteFile.QUIET_DISKS.forEach(own::set);
    startDataNode("datanode" + suffix, own, List.of(group.processes(), memory));
  }

  /** @return when the NameNode knows it. */
  private void startDataNode(String name, Configuration own, List<Path> enter)
      throws IOException {
    Path directory = settings.directory().resolve(name);
    SiteFile.writeAll(directory, own);
    String beside = System.getProperty(LOG);
    Path log = (beside == null ? directory.resolve(LOG) : Path.of(beside).toAbsolutePath())
        .resolveSibling(name + ".log");
    Files.deleteIfExists(log);
    Daemon dataNode = HdfsDaemons.dataNode(HadoopJvm.likeThis(HEAP, "-D" + LOG + "=" + log),
        directory, enter, directory.resolve("datanode.out"), log);
    processes.add(dataNode);
    try (DistributedFileSystem hdfs = (DistributedFileSystem) FileSystem.newInstance(conf())) {
      dataNode.await("register", () ->
          hdfs.getDataNodeStats(DatanodeReportType.LIVE).length >= processes.size());
    }
  }

  /** @return the configuration that a cluster with these settings starts with. */
  public static Configuration configuration(Settings settings) {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, settings.directory().resolve("dfs").toString());
    conf.set("hadoop.tmp.dir", settings.directory().resolve("tmp").toString());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, settings.blockSize());

    conf.set(BlockReaderInterceptor.CLASS_KEY, LocalCacheInterceptor.class.getName());
    conf.setBoolean(LocalCacheKeys.ENABLED, true);
    conf.set(LocalCacheKeys.DIRECTORIES, settings.ssd().toString());
    // A directory of this machine, wherever it is.
    conf.setBoolean(LocalCacheKeys.REQUIRE_MOUNT, false);
    conf.setLong(LocalCacheKeys.CAPACITY, settings.capacityBytes());
    settings.keys().forEach(conf::set);
    if (settings.rate() != 1) {
      boolean hasThreshold = conf.get(BucketTimeRateLimit.THRESHOLD_KEY) != null
          || conf.get(BucketTimeRateLimit.WINDOW_KEY) != null;
      conf.set(RateLimiterFactory.CLASS_KEY, TraceTimeRateLimiter.of(hasThreshold).getName());
      conf.setDouble(TraceTimeRateLimiter.RATE_KEY, settings.rate());
    }
    // The SSD is a directory of a machine that does all the rest as well: late is not broken.
    conf.set(LocalCacheKeys.IO_DEADLINE, "60s");

    // A client that closes a file asks again after this time if the NameNode has not heard of the
    // last block yet, and then after twice as long. By default small files take 400 ms each.
    conf.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, 10);
    conf.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, 12);
    return conf;
  }

  /** @return what a client or an admin command needs to find it. */
  public Configuration conf() {
    return new Configuration(cluster.getConfiguration(0));
  }

  /** @return a client of its own, to be closed by the caller. */
  public DistributedFileSystem newClient() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(conf());
  }

  /** @return the web address of the DataNode in this process. */
  public URI dataNodeWeb() {
    return URI.create("http://127.0.0.1:" + cluster.getDataNodes().get(0).getInfoPort());
  }

  /** Before each of the readers' turns: makes HDDs slow, and forgets what is in memory. */
  public void beforePhase() throws IOException {
    if (!groups.isEmpty()) {
      LoopDisk.dropCaches();
    }
    for (IoGroup group : groups) {
      group.limit(hdd.bytesPerSecond(), hdd.readsPerSecond());
    }
  }

  /** Stops all daemons, and takes the HDDs away. */
  @Override
  public void close() {
    processes.forEach(Daemon::close);
    if (cluster != null) {
      cluster.shutdown();
    }
    undo.close();
  }
}

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
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.text.Text.Checks;
import io.hdfslocalcache.replay.text.Text.Checks.Bytes;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import picocli.CommandLine.Option;

/**
 * A NameNode in this process, and patched DataNodes with the local cache, on free ports of the
 * loopback interface. Either one DataNode in this process, without root. Or several on emulated
 * HDDs: each in its own process, with its data on its own HDD and limited memory, including the OS
 * page cache. These need root and control groups. All files are in new directories, which are
 * deleted when it is closed, or when this process ends, however it ends.
 */
public final class EmbeddedCluster implements Closeable {

  /** Directory where the daemons' web servers unpack their pages, and leave them. */
  private static final String TEMPORARY_FILES = "java.io.tmpdir";
  private static final String PREFIX = "local-cache-";
  private static final String HEAP = "-Xmx512m";
  /** Log of this process; the DataNodes' logs are beside it, and stay afterwards. */
  private static final String LOG = "demo.log";

  private final Path directory;
  private final Path ssd;
  private final Undo undo;
  private final List<Daemon> processes = new ArrayList<>();
  private final List<IoGroup> groups = new ArrayList<>();
  private Hdd hdd;
  private MiniDFSCluster cluster;

  private EmbeddedCluster(Path parent, Path ssdParent) throws IOException {
    this.directory = newDirectory(parent);
    this.undo = new Undo(directory.resolve("undo"));
    undo.add(remove(directory));
    this.ssd = ssdParent == null ? directory.resolve("ssd") : newDirectory(ssdParent);
    undo.add(remove(ssd));
  }

  private static Path newDirectory(Path parent) throws IOException {
    try {
      return Files.createTempDirectory(parent, PREFIX).toRealPath();
    } catch (IOException e) {
      throw new IOException("cannot make a directory in " + parent + "; is it writable?", e);
    }
  }

  /** After Ctrl-C the daemons still run, and may create a file again. */
  private static String remove(Path path) {
    return "for i in 1 2 3 4 5 6 7 8 9; do rm -rf '" + path + "' 2> /dev/null; sleep 0.1; [ -e '"
        + path + "' ] || break; done";
  }

  /** Options of the emulated HDD of each DataNode. */
  public static final class Hdd {
    private static final long BYTES = 8L << 30;
    private static final long MILLION = 1_000_000;

    @Option(names = "--hdd-mb-per-s", paramLabel = "N", defaultValue = "160",
        description = "Read rate of the HDD in MB/s (10^6 bytes; default: ${DEFAULT-VALUE}).")
    private int megabytes;
    @Option(names = "--hdd-iops", paramLabel = "N", defaultValue = "150",
        description = "Reads per second of the HDD (default: ${DEFAULT-VALUE}).")
    private int reads;
    @Option(names = "--hdd-memory", paramLabel = "SIZE", defaultValue = "1g",
        converter = Bytes.class, description = "Memory of the DataNode on the HDD, for up to "
            + "512 MB of heap and the OS page cache (default: ${DEFAULT-VALUE}).")
    private long memory;

    /** @throws IllegalArgumentException if an option is out of range */
    public void check() {
      Checks.atLeast("--hdd-mb-per-s", megabytes, 1);
      Checks.atLeast("--hdd-iops", reads, 1);
    }

    @Override
    public String toString() {
      return Text.format("HDD of %d MB/s and %d reads/s, %s of memory", megabytes, reads,
          Sizes.text(memory));
    }
  }

  /**
   * Starts a cluster, and returns when it can be used. HDDs have full speed until
   * {@link #beforePhase}.
   *
   * @param parent parent of the directory with the files of NameNode and DataNodes
   * @param ssdParent parent of the directory with the local caches' pages; null: beside the others
   * @param keys keys of the daemons, including the capacity of a local cache
   * @param rate speed of the rate limiter's clock
   * @param hdd HDD of the DataNodes; null: one DataNode in this process
   * @param onHdds number of DataNodes on HDDs
   * @throws IOException if a daemon does not start; the message names a wrong setting or what is
   *     missing
   */
  public static EmbeddedCluster start(Path parent, Path ssdParent, Map<String, String> keys,
      double rate, Hdd hdd, int onHdds) throws IOException {
    if (hdd != null && !IoGroup.isPossible()) {
      throw new IOException("an emulated HDD needs root and a control group for block devices; "
          + "--embedded runs without, but does not emulate a disk");
    }
    EmbeddedCluster made = new EmbeddedCluster(parent, ssdParent);
    boolean started = false;
    try {
      made.hdd = hdd;
      made.cluster = made.startHere(
          configuration(made.directory, made.ssd, keys, rate), hdd == null ? 1 : 0);
      // MiniDFSCluster sets the replication to its number of DataNodes.
      made.cluster.getConfiguration(0).setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 1);
      Files.createDirectories(made.ssd);
      for (int i = 1; hdd != null && i <= onHdds; i++) {
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

  private MiniDFSCluster startHere(Configuration conf, int dataNodes) throws IOException {
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    String before = System.setProperty(TEMPORARY_FILES, temporary.toString());
    try {
      return HdfsDaemons.inThisProcess(conf, builder -> builder
          .numDataNodes(dataNodes).storagesPerDatanode(1));
    } finally {
      System.setProperty(TEMPORARY_FILES, before);
    }
  }

  /** @param suffix suffix of its files */
  private void addDataNode(String suffix) throws IOException {
    LoopDisk disk = LoopDisk.create(
        Files.createDirectories(directory.resolve("hdd" + suffix)), Hdd.BYTES, undo);
    IoGroup group = IoGroup.create(disk, undo);
    groups.add(group);
    Path memory = group.limitMemory(hdd.memory, undo);
    Configuration own = new Configuration(cluster.getConfiguration(0));
    own.set("dfs.datanode.data.dir", disk.mount().resolve("data").toUri().toString());
    own.set(LocalCacheKeys.DIRECTORIES, ssd.resolve("pages" + suffix).toString());
    SiteFile.ANY_PORTS.forEach(own::set);
    SiteFile.QUIET_DISKS.forEach(own::set);
    startDataNode("datanode" + suffix, own, List.of(group.processes(), memory));
  }

  /** @return when it is registered with the NameNode. */
  private void startDataNode(String name, Configuration own, List<Path> enter)
      throws IOException {
    Path conf = directory.resolve(name);
    SiteFile.writeAll(conf, own);
    String beside = System.getProperty(LOG);
    Path log = (beside == null ? conf.resolve(LOG) : Path.of(beside).toAbsolutePath())
        .resolveSibling(name + ".log");
    Files.deleteIfExists(log);
    Daemon dataNode = HdfsDaemons.dataNode(HadoopJvm.likeThis(HEAP, "-D" + LOG + "=" + log),
        conf, enter, conf.resolve("datanode.out"), log);
    processes.add(dataNode);
    try (DistributedFileSystem hdfs = (DistributedFileSystem) FileSystem.newInstance(conf())) {
      dataNode.await("register", () ->
          hdfs.getDataNodeStats(DatanodeReportType.LIVE).length >= processes.size());
    }
  }

  /** @return the configuration of a cluster with these files and keys. */
  static Configuration configuration(Path directory, Path ssd, Map<String, String> keys,
      double rate) {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.resolve("dfs").toString());
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());

    conf.set(BlockReaderInterceptor.CLASS_KEY, LocalCacheInterceptor.class.getName());
    conf.setBoolean(LocalCacheKeys.ENABLED, true);
    conf.set(LocalCacheKeys.DIRECTORIES, ssd.toString());
    // Any directory of this machine.
    conf.setBoolean(LocalCacheKeys.REQUIRE_MOUNT, false);
    // The SSD is a directory of a machine that also runs everything else: slow is not broken.
    conf.set(LocalCacheKeys.IO_DEADLINE, "60s");
    keys.forEach(conf::set);
    if (rate != 1) {
      TraceTimeRateLimiter.useIn(conf, rate);
    }

    // A client that closes a file asks again after this time if the NameNode has not heard of the
    // last block yet, and then after twice as long. By default small files take 400 ms each.
    conf.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, 10);
    conf.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, 12);
    return conf;
  }

  /** @return the directory of its files. */
  public Path directory() {
    return directory;
  }

  /** @return the configuration for clients and admin commands. */
  public Configuration conf() {
    return new Configuration(cluster.getConfiguration(0));
  }

  /** @return a new client, to be closed by the caller. */
  public DistributedFileSystem newClient() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(conf());
  }

  /** @return the web address of the DataNode in this process. */
  public URI dataNodeWeb() {
    return URI.create("http://127.0.0.1:" + cluster.getDataNodes().get(0).getInfoPort());
  }

  /** Called before each phase of readers: slows the HDDs down, and drops the OS page cache. */
  public void beforePhase() throws IOException {
    if (!groups.isEmpty()) {
      LoopDisk.dropCaches();
    }
    for (IoGroup group : groups) {
      group.limit(hdd.megabytes * Hdd.MILLION, hdd.reads);
    }
  }

  /** Stops all daemons, and removes HDDs and files. */
  @Override
  public void close() {
    processes.forEach(Daemon::close);
    if (cluster != null) {
      cluster.shutdown();
    }
    undo.close();
  }
}

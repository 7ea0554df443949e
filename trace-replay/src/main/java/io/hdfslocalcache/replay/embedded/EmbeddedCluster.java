/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.hdfslocalcache.harness.HdfsDaemons;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.replay.embedded.EmbeddedOptions.BenchmarkCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;

/**
 * A NameNode and a patched DataNode with the local cache, on free ports of the loopback interface.
 * Needs no root. Keeps everything in the directories it is given and deletes neither.
 */
public final class EmbeddedCluster implements BenchmarkCluster {

  /** Where the daemons' web servers unpack their pages, and leave them. */
  private static final String TEMPORARY_FILES = "java.io.tmpdir";

  private final MiniDFSCluster cluster;

  private EmbeddedCluster(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * What can be chosen.
   *
   * @param directory for the NameNode's and the DataNode's files
   * @param ssd for the local cache's pages
   * @param capacityBytes bytes that the pages may take
   * @param blockSize bytes of a block
   * @param keys of the daemons, beside these
   * @param rate how much faster than on a clock time passes for the rate limiter
   */
  public record Settings(Path directory, Path ssd, long capacityBytes, long blockSize,
      Map<String, String> keys, double rate) {
  }

  /**
   * Starts the cluster, and returns when it can be used.
   *
   * @throws IOException if a daemon does not start; its message names the setting if one is wrong
   */
  public static EmbeddedCluster start(Settings settings) throws IOException {
    return new EmbeddedCluster(
        startDaemons(settings.directory(), configuration(settings), 1));
  }

  /** Starts a NameNode and so many DataNodes in this process. */
  static MiniDFSCluster startDaemons(Path directory, Configuration conf, int dataNodes)
      throws IOException {
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    String before = System.setProperty(TEMPORARY_FILES, temporary.toString());
    try {
      return HdfsDaemons.inThisProcess(conf, builder -> builder
          .numDataNodes(dataNodes).storagesPerDatanode(1));
    } finally {
      System.setProperty(TEMPORARY_FILES, before);
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

  @Override
  public Configuration conf() {
    return new Configuration(cluster.getConfiguration(0));
  }

  /** @return a client of its own, to be closed by the caller. */
  public DistributedFileSystem newClient() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(conf());
  }

  /** @return the DataNode's web address. */
  public URI dataNodeWeb() {
    return URI.create("http://127.0.0.1:" + cluster.getDataNodes().get(0).getInfoPort());
  }

  /** Stops both daemons. */
  @Override
  public void close() {
    cluster.shutdown();
  }
}

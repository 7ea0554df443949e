/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertTrue;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.HdfsDaemons;
import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor;
import io.hdfslocalcache.plugin.hdfs.TestingInterceptor;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.Daemon;

/**
 * A mini cluster whose DataNodes have a local cache with small pages. Every wait has a timeout.
 */
public final class LocalCacheCluster implements Closeable {

  /** Bytes in a page; blocks of a few hundred KB have many. */
  public static final int PAGE = 16 << 10;

  /** What is said of a spent budget; which of both depends on how many pages were on their way. */
  public static final String BUDGET_SPENT =
      "write budget spent(: pages enter at .* a day| until [0-9: -]+)";

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final long SEED = 42;
  private static final long DISK_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

  private final MiniDFSCluster cluster;
  private final Path directory;
  private final Daemon slowDisks = new Daemon(this::seemToBeDisks);
  private volatile boolean closed;

  private LocalCacheCluster(MiniDFSCluster cluster, Path directory) {
    this.cluster = cluster;
    this.directory = directory;
    slowDisks.start();
  }

  /**
   * Every other second, data volumes look like idle disks, so that reads fill what they miss. In
   * between they look like the OS page cache that they are, so that fills follow the reads.
   */
  private void seemToBeDisks() {
    while (!closed) {
      if (TimeUnit.NANOSECONDS.toSeconds(System.nanoTime()) % 2 == 0) {
        try {
          caches().map(LocalCache::volumes).forEach(volumes -> volumes.waitNanos().keySet()
              .forEach(directory -> volumes.of(directory).took(1, DISK_NANOS)));
        } catch (RuntimeException e) {
          // A DataNode was just being restarted.
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  /** Starts describing a cluster. */
  public static Builder builder() {
    return new Builder();
  }

  /** Describes a cluster; the defaults are one DataNode that admits a block at its first read. */
  public static final class Builder {
    private final Configuration conf = new HdfsConfiguration();
    private int dataNodes = 1;
    private String[] racks;
    private int blockSize = 1 << 20;
    private MiniDFSNNTopology topology = MiniDFSNNTopology.simpleSingleNN(0, 0);
    private StorageType[] storageTypes = {StorageType.DISK, StorageType.DISK};
    private boolean format = true;
    private final Path directory;

    private Builder() {
      try {
        directory = Files.createTempDirectory("lc");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      conf.set(BlockReaderInterceptor.CLASS_KEY, TestingInterceptor.class.getName());
      conf.setBoolean(LocalCacheKeys.ENABLED, true);
      conf.set(LocalCacheKeys.DIRECTORIES, directory.resolve("ssd0").toString());
      conf.setBoolean(LocalCacheKeys.REQUIRE_MOUNT, false);
      conf.set(LocalCacheKeys.CAPACITY, "64m");
      conf.set(LocalCacheKeys.PAGE_SIZE, String.valueOf(PAGE));
      conf.set(LocalCacheKeys.MEMORY_SIZE, "64m");
      conf.setInt(BucketTimeRateLimit.THRESHOLD_KEY, 0);
      // No test may fail because the machine was busy for a second.
      conf.set(LocalCacheKeys.IO_DEADLINE, "60s");
      conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.resolve("dfs").toString());
      // The scanners would read blocks at moments of their own choice.
      conf.setInt(DFSConfigKeys.DFS_DATANODE_SCAN_PERIOD_HOURS_KEY, -1);
      conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 512);
    }

    /** Sets any key. */
    public Builder set(String key, Object value) {
      conf.set(key, String.valueOf(value));
      return this;
    }

    /** Number of DataNodes. */
    public Builder dataNodes(int n) {
      dataNodes = n;
      return this;
    }

    /** One DataNode in each of these racks, which may be named more than once. */
    public Builder racks(String... newRacks) {
      racks = newRacks;
      return dataNodes(newRacks.length);
    }

    /** Bytes in a block. */
    public Builder blockSize(int bytes) {
      blockSize = bytes;
      return this;
    }

    /** The name services. */
    public Builder topology(MiniDFSNNTopology newTopology) {
      topology = newTopology;
      return this;
    }

    /** The data volumes of each DataNode. */
    public Builder storageTypes(StorageType... newTypes) {
      storageTypes = newTypes;
      return this;
    }

    /** A block is admitted when it has been read more often than this. */
    public Builder threshold(int reads) {
      return set(BucketTimeRateLimit.THRESHOLD_KEY, reads);
    }

    /** Starts with the files of another cluster, which are in the directory. */
    public Builder withFilesOfAnother() {
      format = false;
      return this;
    }

    /** Number of SSD directories of each DataNode. */
    public Builder ssds(int n) {
      StringBuilder names = new StringBuilder();
      for (int i = 0; i < n; i++) {
        names.append(i == 0 ? "" : ",").append(directory.resolve("ssd" + i));
      }
      return set(LocalCacheKeys.DIRECTORIES, names);
    }

    /** @return where the cluster will keep everything. */
    public Path directory() {
      return directory;
    }

    /** @return the configuration as it is now. */
    public Configuration conf() {
      return conf;
    }

    /** Starts the cluster. */
    public LocalCacheCluster start() throws IOException {
      conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, blockSize);
      Configuration[] own = dataNodes > 1 ? ownDirectories() : null;
      return new LocalCacheCluster(HdfsDaemons.inThisProcess(conf, builder -> builder
          .format(format).nnTopology(topology)
          .numDataNodes(dataNodes).racks(racks).dataNodeConfOverlays(own)
          .storagesPerDatanode(storageTypes.length).storageTypes(storageTypes)), directory);
    }

    private Configuration[] ownDirectories() throws IOException {
      String all = conf.get(LocalCacheKeys.DIRECTORIES);
      // A value here would override theirs.
      conf.unset(LocalCacheKeys.DIRECTORIES);
      Configuration[] own = new Configuration[dataNodes];
      for (int i = 0; i < dataNodes; i++) {
        Path parent = Files.createDirectories(directory.resolve("dn" + i));
        own[i] = new Configuration(false);
        own[i].set(LocalCacheKeys.DIRECTORIES, all.replace(directory + "/", parent + "/"));
      }
      return own;
    }
  }

  /** @return Hadoop's mini cluster. */
  public MiniDFSCluster mini() {
    return cluster;
  }

  /** @return where the cluster keeps everything, the directories of the SSDs included. */
  public Path directory() {
    return directory;
  }

  /** @return a client's file system. */
  public DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  /** @return a DataNode. */
  public DataNode dataNode(int i) {
    return cluster.getDataNodes().get(i);
  }

  /** @return a DataNode's interceptor. */
  public LocalCacheInterceptor interceptor(int i) {
    return (LocalCacheInterceptor) dataNode(i).getBlockReaderInterceptor();
  }

  /** @return a DataNode's local cache. */
  public LocalCache cache(int i) {
    return interceptor(i).cache();
  }

  /** @return a DataNode's local cache as operators see it. */
  public LocalCacheView view(int i) {
    return new LocalCacheView(cache(i));
  }

  /** @return the metrics of a DataNode's local cache. */
  public LocalCacheMetrics metrics(int i) {
    return interceptor(i).metrics();
  }

  /** @return reads of the first DataNode with an outcome. */
  public long reads(ReadOutcome outcome) {
    return metrics(0).reads(outcome);
  }

  /** Writes a file of reproducible bytes. @return the bytes. */
  public byte[] write(String path, int length) throws IOException {
    return write(path, length, (short) 1);
  }

  /** Writes a file of reproducible bytes. @return the bytes. */
  public byte[] write(String path, int length, short replication) throws IOException {
    byte[] bytes = bytes(path.hashCode(), length);
    try (FSDataOutputStream out = fs().create(
        new org.apache.hadoop.fs.Path(path), true, 4096, replication, fs().getDefaultBlockSize())) {
      out.write(bytes);
    }
    return bytes;
  }

  /** Appends reproducible bytes. @return the bytes appended. */
  public byte[] append(String path, int length) throws IOException {
    byte[] bytes = bytes(path.hashCode() + 1, length);
    try (FSDataOutputStream out = fs().append(new org.apache.hadoop.fs.Path(path))) {
      out.write(bytes);
    }
    return bytes;
  }

  /** A client appends and disappears; the NameNode recovers its lease and the block. */
  public void abandonAppend(String path, byte[] added) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    try (FileSystem client = FileSystem.newInstance(fs().getUri(), fs().getConf())) {
      FSDataOutputStream out = client.append(file);
      out.write(added);
      out.hflush();
      DFSTestUtil.abortStream((DFSOutputStream) out.getWrappedStream());
      await("recovery of " + path, () -> fs().recoverLease(file));
    }
  }

  /** Moves a finalized replica to the next volume of its DataNode, as the disk balancer does. */
  public void move(int dataNode, ExtendedBlock block) throws IOException {
    FsDatasetSpi<?> dataset = dataNode(dataNode).getFSDataset();
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
      FsVolumeSpi from = dataset.getVolume(block);
      int i = 0;
      while (!volumes.get(i).equals(from)) {
        i++;
      }
      dataset.moveBlockAcrossVolumes(block, volumes.get((i + 1) % volumes.size()));
    }
  }

  /** @return bytes that depend on nothing but the arguments. */
  public static byte[] bytes(int salt, int length) {
    byte[] bytes = new byte[length];
    new Random(SEED + salt).nextBytes(bytes);
    return bytes;
  }

  /** Reads a whole file through an ordinary client. */
  public byte[] read(String path) throws IOException {
    byte[] bytes = DFSTestUtil.readFileAsBytes(fs(), new org.apache.hadoop.fs.Path(path));
    awaitEndOfReads();
    return bytes;
  }

  /** Reads a part of a file through an ordinary client, as one positioned read. */
  public byte[] pread(String path, long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    try (FSDataInputStream in = fs().open(new org.apache.hadoop.fs.Path(path))) {
      in.readFully(offset, bytes);
    }
    awaitEndOfReads();
    return bytes;
  }

  /** Waits until the DataNodes know that reads are over, as their clients do. */
  public void awaitEndOfReads() {
    await("end of reads", () -> caches().allMatch(cache -> cache.readsInProgress() == 0));
  }

  private Stream<LocalCacheInterceptor> interceptors() {
    return cluster.getDataNodes().stream()
        .map(DataNode::getBlockReaderInterceptor)
        .filter(LocalCacheInterceptor.class::isInstance)
        .map(LocalCacheInterceptor.class::cast);
  }

  private Stream<LocalCache> caches() {
    return interceptors().map(LocalCacheInterceptor::cache).filter(Objects::nonNull);
  }

  /** Reads a file until all its blocks are cached as far as they can be. */
  public byte[] readUntilCached(String path) throws IOException {
    byte[] bytes = read(path);
    settle();
    return bytes;
  }

  /** Reads a file again and again, until the first DataNode's local cache serves all of it. */
  public void awaitHit(String path, byte[] expected) {
    await("a hit of " + path, () -> {
      long before = reads(ReadOutcome.HIT);
      assertArrayEquals(path, expected, readUntilCached(path));
      return reads(ReadOutcome.HIT) > before;
    });
  }

  /** Reads a cached file again and again, until all of it comes from memory. */
  public byte[] readUntilInMemory(String path) throws IOException {
    while (true) {
      long before = bytesFromMemory();
      byte[] bytes = read(path);
      if (bytesFromMemory() - before == bytes.length) {
        return bytes;
      }
    }
  }

  private long bytesFromMemory() {
    return interceptors().mapToLong(each -> each.metrics().total(Event.BYTES_MEMORY)).sum();
  }

  /** Waits until no local cache of the cluster has anything to do. */
  public void settle() {
    awaitEndOfReads();
    // A visit has its buffer until its bytes are written, also between reading and writing.
    await("local caches at rest", () -> caches().allMatch(
        cache -> !cache.restore().isInProgress() && cache.memory().gauges().bufferBytes() == 0
            && !cache.isFilling() && cache.changes().isIdle()));
  }

  /** Restarts a DataNode, and waits until its local cache has restored what it can. */
  public void restartDataNode(int i) throws IOException {
    start(cluster.stopDataNode(i));
  }

  /** Starts DataNodes that were stopped, and waits until their caches have restored what they can. */
  public void start(DataNodeProperties... stopped) throws IOException {
    startUnrestored(stopped);
    settle();
  }

  /** Starts DataNodes that were stopped; they may still be restoring pages then. */
  public void startUnrestored(DataNodeProperties... stopped) throws IOException {
    for (DataNodeProperties each : stopped) {
      // A connection of another test may have its port for a moment.
      assertTrue("its port is free", Wait.until(() -> {
        try {
          return cluster.restartDataNode(each, true);
        } catch (BindException e) {
          return false;
        }
      }, PATIENCE, 100));
    }
    // Once for all: the NameNode takes those that are still stopped for live ones.
    cluster.waitActive();
  }

  /** Waits until no page of a block is left, in the index of a DataNode or on any disk. */
  public void awaitNoPages(int dataNode, ExtendedBlock block) {
    await("removal of the pages of " + block,
        () -> cached(dataNode, block) == null && pageFiles(block).isEmpty());
  }

  /** Waits until the pages of all changed replicas are gone, even if reads go on. */
  public void settleChanges() {
    await("removal of pages", () -> caches().allMatch(
        cache -> cache.changes().isIdle()));
  }

  /** Waits for something to become true. */
  public static void await(String what, Wait.Condition condition) {
    await(what, PATIENCE, condition);
  }

  /** Waits for something to become true that may take as long as this on a busy machine. */
  public static void await(String what, Duration patience, Wait.Condition condition) {
    try {
      if (!Wait.until(condition, patience, 5)) {
        throw new AssertionError("not within " + patience + ": " + what);
      }
    } catch (IOException e) {
      throw new AssertionError("while waiting for: " + what, e);
    }
  }

  /** @return what a web server on this host answers. */
  public static String get(int port, String path) throws IOException {
    try (InputStream in = URI.create("http://127.0.0.1:" + port + path).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** @return the metrics in the format of Prometheus, of all daemons, a line for each. */
  public List<String> prom() throws IOException {
    // One metrics system serves the whole JVM, and only its first server, the NameNode's, shows it.
    return get(cluster.getNameNode().getHttpAddress().getPort(), "/prom").lines().toList();
  }

  /** @return the blocks of a file. */
  public List<LocatedBlock> blocks(String path) throws IOException {
    return fs().getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
  }

  /** @return the first block of a file. */
  public ExtendedBlock block(String path) throws IOException {
    // DFSTestUtil.getFirstBlock reads from the block to find its name.
    return blocks(path).get(0).getBlock();
  }

  /** @return a file's first block in the local cache of a DataNode, or null. */
  public CachedBlock cached(int dataNode, String path) throws IOException {
    return cached(dataNode, block(path));
  }

  /** @return a block in the local cache of a DataNode, or null. */
  public CachedBlock cached(int dataNode, ExtendedBlock block) {
    return cache(dataNode).index().cached(key(block));
  }

  /** @return how the local cache names a block. */
  public static BlockKey key(ExtendedBlock block) {
    return new BlockKey(block.getBlockPoolId(), block.getBlockId());
  }

  /** @return the file of a block on a DataNode's data volume. */
  public File blockFile(int dataNode, ExtendedBlock block) {
    return cluster.getBlockFile(dataNode, block);
  }

  /** @return the meta file of a block on a DataNode's data volume. */
  public File metaFile(int dataNode, ExtendedBlock block) {
    return cluster.getBlockMetadataFile(dataNode, block);
  }

  /** @return all page files of all SSDs whose path contains a word. */
  public List<Path> pageFiles(String word) throws IOException {
    while (true) {
      try (Stream<Path> files = Files.walk(directory)) {
        return files.filter(file -> file.toString().contains("/LOCAL/"))
            .filter(file -> file.toString().contains(word))
            .filter(Files::isRegularFile).toList();
      } catch (UncheckedIOException e) {
        // A directory was deleted while it was listed.
      }
    }
  }

  /** @return the page files of a block, whatever its generation stamp. */
  public List<Path> pageFiles(ExtendedBlock block) throws IOException {
    return pageFiles(block.getBlockPoolId() + "_blk_" + block.getBlockId() + "_");
  }

  @Override
  public void close() {
    closed = true;
    List<LocalCache> caches = caches().toList();
    cluster.shutdown();
    await("end of all use of memory", () -> caches.stream()
        .map(cache -> cache.memory().gauges())
        .allMatch(memory -> memory.usedBytes() == 0 && memory.bufferBytes() == 0));
    FileUtil.fullyDelete(directory.toFile());
  }
}

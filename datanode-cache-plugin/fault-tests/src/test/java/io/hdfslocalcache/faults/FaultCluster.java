/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.Readers;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * A cluster of one DataNode with two SSDs, one of which can be made sick. Its clients do not retry:
 * an error on the DataNode fails the read.
 */
public final class FaultCluster implements Closeable {

  /** Bytes that pages may take on each SSD. */
  public static final long CAPACITY = 24L << 20;

  /** Bytes of pages in memory: so few that most reads use an SSD. */
  private static final long MEMORY = 1L << 20;

  /** So large that every file is one block. */
  private static final int BLOCK = 8 << 20;
  private static final int FILES = 24;
  private static final int LENGTH = 300_000;

  private final Ssd ssd;
  private final SmallTmpfs memory;
  private final LocalCacheCluster cluster;
  private final List<Readers.Expected> files = new ArrayList<>();

  private FaultCluster(Ssd ssd, SmallTmpfs memory, LocalCacheCluster cluster) {
    this.ssd = ssd;
    this.memory = memory;
    this.cluster = cluster;
  }

  /** Starts one with files that are cached, and the default deadline for SSDs. */
  public static FaultCluster start(Ssd ssd) throws IOException {
    return start(ssd, LocalCacheKeys.defaults().get(LocalCacheKeys.IO_DEADLINE));
  }

  /** Starts one with a very long deadline for SSDs. */
  public static FaultCluster patient(Ssd ssd) throws IOException {
    return start(ssd, "60s");
  }

  private static FaultCluster start(Ssd ssd, String deadline) throws IOException {
    SmallTmpfs memory = null;
    try {
      memory = SmallTmpfs.create(2 * MEMORY);
      FaultCluster started = new FaultCluster(ssd, memory, startCluster(ssd, memory, deadline));
      started.writeFiles();
      return started;
    } catch (IOException | RuntimeException | Error e) {
      if (memory != null) {
        memory.close();
      }
      ssd.close();
      throw e;
    }
  }

  private static LocalCacheCluster startCluster(Ssd ssd, SmallTmpfs memory, String deadline)
      throws IOException {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    return builder.blockSize(BLOCK)
        .set(LocalCacheKeys.DIRECTORIES,
            ssd.directory() + "," + builder.directory().resolve("other-ssd"))
        .set(LocalCacheKeys.CAPACITY, CAPACITY)
        .set(LocalCacheKeys.RESERVED, "8m")
        .set(LocalCacheKeys.MEMORY_SIZE, MEMORY)
        .set(LocalCacheKeys.MEMORY_DIRECTORY, memory.directory())
        .set(LocalCacheKeys.IO_DEADLINE, deadline)
        .set(TestingConfig.PROBE_INTERVAL, "200ms")
        .set(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 0)
        // By default, the kernel refuses connections if more than 256 clients begin to read at once.
        .set(CommonConfigurationKeysPublic.IPC_SERVER_LISTEN_QUEUE_SIZE_KEY, 4096)
        .start();
  }

  private void writeFiles() throws IOException {
    for (int i = 0; i < FILES; i++) {
      String name = "/files/" + i;
      // Some chunks and pages are not full.
      int length = LENGTH + 1001 * i;
      files.add(new Readers.Expected(
          new org.apache.hadoop.fs.Path(name), cluster.write(name, length)));
      cluster.readUntilCached(name);
    }
  }

  /** Stops the DataNode for good. @return what it still held; should be nothing */
  public List<String> stop() throws IOException {
    cluster.mini().stopDataNode(0);
    return Held.byStopped(this);
  }

  /** @return the cluster itself. */
  public LocalCacheCluster cluster() {
    return cluster;
  }

  /** @return the SSD that can be made sick. */
  public Ssd ssd() {
    return ssd;
  }

  /** @return where the pages in memory are. */
  public SmallTmpfs memory() {
    return memory;
  }

  /** @return the files, with what they contain. */
  public List<Readers.Expected> files() {
    return files;
  }

  /** @return the local cache's view of the SSD that can be made sick. */
  public SsdDirectory sick() {
    return cluster.cache(0).directories().all().get(0);
  }

  /** @return the local cache's view of the SSD that is always well. */
  public SsdDirectory well() {
    return cluster.cache(0).directories().all().get(1);
  }

  /** @return a file whose pages belong on the SSD that can be made sick. */
  public Readers.Expected fileOnSick() throws IOException {
    return filesOn(sick()).get(0);
  }

  /** @return the files whose pages belong on an SSD. */
  List<Readers.Expected> filesOn(SsdDirectory which) throws IOException {
    List<Readers.Expected> found = new ArrayList<>();
    for (Readers.Expected file : files) {
      if (directoryOf(cluster.block(file.path().toString())) == which) {
        found.add(file);
      }
    }
    if (found.isEmpty()) {
      throw new IOException("all files are on the other SSD");
    }
    return found;
  }

  private SsdDirectory directoryOf(ExtendedBlock block) {
    return cluster.cache(0).directories().of(
        LocalCacheCluster.key(block));
  }

  /** @return number of replicas reported to the NameNode as corrupt. */
  public long corruptReplicas() throws IOException {
    return cluster.mini().getNamesystem().getCorruptReplicaBlocks();
  }

  /** @return number of failed data volumes of the DataNode. */
  public int failedVolumes() {
    return cluster.dataNode(0).getFSDataset().getNumFailedVolumes();
  }

  /**
   * @return page files on both SSDs, known to the local cache or not; -1 if some were deleted
   *     meanwhile
   */
  public long pageFiles() throws IOException {
    long onSick = countFiles(ssd.directory(), "/LOCAL/");
    long onWell = countFiles(otherDirectory(), "/LOCAL/");
    return onSick < 0 || onWell < 0 ? -1 : onSick + onWell;
  }

  /** @return the directory of the local cache on the SSD that is always well. */
  Path otherDirectory() {
    return cluster.directory().resolve("other-ssd");
  }

  /** @return unfinished files of fills on the SSD that can be made sick. */
  public long unfinishedFiles() throws IOException {
    return countFiles(ssd.directory(), "/tmp/");
  }

  /** @return number of files below, or -1 if some were deleted during the count. */
  private static long countFiles(Path directory, String part) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(path -> directory.relativize(path).toString().contains(part))
          .filter(Files::isRegularFile).count();
    } catch (UncheckedIOException e) {
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    // Nothing may hang while the DataNode stops.
    ssd.faults().clear();
    cluster.close();
    ssd.close();
    memory.close();
  }
}

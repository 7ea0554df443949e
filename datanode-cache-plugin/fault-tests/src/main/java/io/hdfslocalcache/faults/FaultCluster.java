/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.store.SsdDirectory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * A cluster of one DataNode with two SSDs, one of which can be made sick. Its clients do not try
 * again: what fails on the DataNode fails the read.
 */
public final class FaultCluster implements Closeable {

  /** Bytes that pages may take on each SSD. */
  public static final long CAPACITY = 24L << 20;

  private static final int FILES = 24;
  private static final int LENGTH = 300_000;

  private final Ssd ssd;
  private final LocalCacheCluster cluster;
  private final List<Readers.Expected> files = new ArrayList<>();

  private FaultCluster(Ssd ssd, LocalCacheCluster cluster) {
    this.ssd = ssd;
    this.cluster = cluster;
  }

  /**
   * Starts one with files that are cached.
   *
   * @param probeInterval time between probes of the SSD, as the key takes it
   */
  public static FaultCluster start(Ssd ssd, String probeInterval) throws IOException {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    FaultCluster started = new FaultCluster(ssd, builder
        .set(LocalCacheKeys.DIRECTORIES,
            ssd.directory() + "," + builder.directory().resolve("other-ssd"))
        .set(LocalCacheKeys.CAPACITY, CAPACITY)
        .set(LocalCacheKeys.PROBE_INTERVAL, probeInterval)
        .set(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 0)
        .start());
    started.writeFiles();
    return started;
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

  /** @return the cluster itself. */
  public LocalCacheCluster cluster() {
    return cluster;
  }

  /** @return the SSD that can be made sick. */
  public Ssd ssd() {
    return ssd;
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

  /** @return the name of a file whose pages belong on the SSD that can be made sick. */
  public Readers.Expected fileOnSick() throws IOException {
    for (Readers.Expected file : files) {
      if (directoryOf(cluster.block(file.path().toString())) == sick()) {
        return file;
      }
    }
    throw new IOException("all files are on the other SSD");
  }

  private SsdDirectory directoryOf(ExtendedBlock block) {
    return cluster.cache(0).directories().of(
        new BlockKey(block.getBlockPoolId(), block.getBlockId()));
  }

  /** @return replicas that somebody reported to the NameNode as corrupt. */
  public long corruptReplicas() throws IOException {
    return cluster.mini().getNamesystem().getCorruptReplicaBlocks();
  }

  /** @return data volumes that the DataNode gave up. */
  public int failedVolumes() {
    return cluster.dataNode(0).getFSDataset().getNumFailedVolumes();
  }

  /** @return page files on both SSDs, whether the local cache knows of them or not. */
  public long pageFiles() throws IOException {
    return countFiles(ssd.directory(), "/LOCAL/")
        + countFiles(cluster.directory().resolve("other-ssd"), "/LOCAL/");
  }

  /** @return files on the SSD that can be made sick that a fill has not finished. */
  public long unfinishedFiles() throws IOException {
    return countFiles(ssd.directory(), "/tmp/");
  }

  private static long countFiles(Path directory, String part) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(path -> directory.relativize(path).toString().contains(part))
          .filter(Files::isRegularFile).count();
    }
  }

  @Override
  public void close() throws IOException {
    // Nothing may hang while the DataNode stops.
    ssd.faults().clear();
    cluster.close();
    ssd.close();
  }
}

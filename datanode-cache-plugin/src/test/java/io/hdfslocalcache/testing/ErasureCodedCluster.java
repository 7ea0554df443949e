/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetTestUtil;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * A mini cluster whose files are erasure-coded. Blocks have two cells, so a file of some MB has
 * several block groups.
 */
public final class ErasureCodedCluster implements Closeable {

  /** Bytes in a cell. */
  public static final int CELL = 1 << 20;
  /** Bytes in a full internal block. */
  public static final int BLOCK = 2 * CELL;

  private static final int DAMAGE = 100;

  private final LocalCacheCluster cluster;
  private final ErasureCodingPolicy policy;

  private ErasureCodedCluster(LocalCacheCluster cluster, ErasureCodingPolicy policy) {
    this.cluster = cluster;
    this.policy = policy;
  }

  /**
   * Starts a cluster.
   *
   * @param policyName of all files, such as {@code RS-6-3-1024k}; with cells of 1 MB
   * @param builder says everything but the size of blocks
   */
  public static ErasureCodedCluster start(String policyName, LocalCacheCluster.Builder builder)
      throws IOException {
    LocalCacheCluster cluster = builder.blockSize(BLOCK).start();
    cluster.fs().enableErasureCodingPolicy(policyName);
    cluster.fs().setErasureCodingPolicy(new Path("/"), policyName);
    return new ErasureCodedCluster(cluster, SystemErasureCodingPolicies.getByName(policyName));
  }

  /**
   * One of the blocks of a group, as a DataNode has it.
   *
   * @param index place in the group; parity comes after the data
   * @param block the block, with its own id and length
   * @param dataNode number of the DataNode
   */
  public record InternalBlock(int index, ExtendedBlock block, int dataNode) {
  }

  /** Bytes that clients got, by where they came from. */
  public record Sent(long fromLocalCache, long fromDisk) {
    /** @return the bytes sent since then. */
    public Sent since(Sent before) {
      return new Sent(fromLocalCache - before.fromLocalCache, fromDisk - before.fromDisk);
    }
  }

  /** @return the mini cluster. */
  public LocalCacheCluster cluster() {
    return cluster;
  }

  /** @return number of internal blocks with data in a full group. */
  public int data() {
    return policy.getNumDataUnits();
  }

  /** @return number of internal blocks with parity in a group. */
  public int parity() {
    return policy.getNumParityUnits();
  }

  /** @return bytes in a stripe. */
  public int stripe() {
    return data() * CELL;
  }

  /** @return the block groups of a file. */
  public List<LocatedBlock> groups(String path) throws IOException {
    return cluster.blocks(path);
  }

  /** @return the internal blocks of a group that are on DataNodes, in their order. */
  public List<InternalBlock> internalBlocks(LocatedBlock group) {
    LocatedBlock[] blocks = StripedBlockUtil.parseStripedBlockGroup(
        (LocatedStripedBlock) group, CELL, data(), parity());
    List<InternalBlock> found = new ArrayList<>();
    for (int i = 0; i < blocks.length; i++) {
      int dataNode = blocks[i] == null ? -1
          : dataNode(blocks[i].getLocations()[0].getDatanodeUuid());
      if (dataNode >= 0) {
        found.add(new InternalBlock(i, blocks[i].getBlock(), dataNode));
      }
    }
    return found;
  }

  /** @return an internal block of a file's first group. */
  public InternalBlock internalBlock(String path, int index) throws IOException {
    return internalBlocks(groups(path).get(0)).stream()
        .filter(each -> each.index() == index).findFirst().orElseThrow();
  }

  /** @return the number of a DataNode, or -1 if it does not run. */
  public int dataNode(String uuid) {
    for (int i = 0; i < cluster.mini().getDataNodes().size(); i++) {
      if (cluster.dataNode(i).getDatanodeUuid().equals(uuid)) {
        return i;
      }
    }
    return -1;
  }

  /** @return number of pages of an internal block that its DataNode has cached. */
  public int cachedPages(InternalBlock block) {
    var cached = cluster.cached(block.dataNode(), block.block());
    return cached == null ? 0 : cached.pages();
  }

  /** @return number of DataNodes with a replica of an internal block, or with pages of one. */
  public int holders(InternalBlock block) {
    int holders = 0;
    for (int i = 0; i < cluster.mini().getDataNodes().size(); i++) {
      boolean hasReplica = cluster.dataNode(i).getFSDataset().contains(block.block());
      holders += hasReplica || cluster.cached(i, block.block()) != null ? 1 : 0;
    }
    return holders;
  }

  /** Changes bytes on the disk, in the middle of the first cell of an internal block. */
  public void corrupt(InternalBlock block) throws IOException {
    DataNode dataNode = cluster.dataNode(block.dataNode());
    // Not by the DataNode's number, which changes when it is restarted.
    File found = FsDatasetTestUtil.getBlockFile(dataNode.getFSDataset(),
        block.block().getBlockPoolId(), block.block().getLocalBlock());
    try (RandomAccessFile file = new RandomAccessFile(found, "rw")) {
      byte[] changed = new byte[DAMAGE];
      file.seek(CELL / 2);
      file.readFully(changed);
      for (int i = 0; i < changed.length; i++) {
        changed[i]++;
      }
      file.seek(CELL / 2);
      file.write(changed);
    }
  }

  /** @return what the DataNodes that run have sent to clients since they started. */
  public Sent sent() {
    return new Sent(sum(metrics -> metrics.total(Event.BYTES_HIT)),
        sum(metrics -> metrics.total(Event.BYTES_MISS) + metrics.total(Event.BYTES_BYPASS)));
  }

  /** @return reads of the DataNodes that run, with an outcome. */
  public long reads(ReadOutcome outcome) {
    return sum(metrics -> metrics.reads(outcome));
  }

  /** @return errors of the DataNodes that run. */
  public long errors() {
    return sum(LocalCacheMetrics::errors);
  }

  /** @return client reads of the DataNodes that run, with any outcome. */
  public long clientReads() {
    return Arrays.stream(ReadOutcome.values())
        .filter(outcome -> outcome != ReadOutcome.BYPASS_NOT_CLIENT)
        .mapToLong(this::reads).sum();
  }

  private long sum(ToLongFunction<LocalCacheMetrics> figure) {
    long sum = 0;
    for (int i = 0; i < cluster.mini().getDataNodes().size(); i++) {
      sum += figure.applyAsLong(cluster.metrics(i));
    }
    return sum;
  }

  @Override
  public void close() {
    cluster.close();
  }
}

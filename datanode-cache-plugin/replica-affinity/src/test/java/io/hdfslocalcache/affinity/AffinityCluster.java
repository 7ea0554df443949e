/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.affinity;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Nine DataNodes in three racks, all with a local cache, and unmodified clients on other hosts: the
 * NameNode takes their addresses from the calls, as for clients behind a router.
 */
final class AffinityCluster implements Closeable {

  /** DataNodes of the cluster. */
  static final int DATA_NODES = 9;

  /** Bytes in a block: eight pages. */
  static final int BLOCK = 8 * LocalCacheCluster.PAGE;

  private static final String[] RACKS =
      {"/r1", "/r1", "/r1", "/r2", "/r2", "/r2", "/r3", "/r3", "/r3"};

  private final LocalCacheCluster cluster;

  private AffinityCluster(LocalCacheCluster cluster) {
    this.cluster = cluster;
  }

  /** @return a cluster to be started, with the NameNode's stock topology. */
  static LocalCacheCluster.Builder stock() throws IOException {
    return LocalCacheCluster.builder().racks(RACKS).blockSize(BLOCK)
        .set(DFSConfigKeys.DFS_NAMENODE_IP_PROXY_USERS,
            UserGroupInformation.getCurrentUser().getShortUserName())
        // A DataNode that is stopped is not replaced while a test looks at the others.
        .set(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 3600);
  }

  /** @return a cluster to be started, whose readers use so many replicas of a block. */
  static LocalCacheCluster.Builder affinity(int replicas) throws IOException {
    return stock().set(ReplicaAffinityTopology.REPLICAS_KEY, replicas)
        .set(DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, ReplicaAffinityTopology.class.getName());
  }

  /** Starts a cluster. */
  static AffinityCluster start(LocalCacheCluster.Builder builder) throws IOException {
    return new AffinityCluster(builder.start());
  }

  /** @return what it is made of. */
  LocalCacheCluster local() {
    return cluster;
  }

  /** Writes files with one block and three replicas each. @return their paths. */
  List<String> write(int files) throws IOException {
    List<String> paths = IntStream.range(0, files).mapToObj(i -> "/file" + i).toList();
    for (String path : paths) {
      cluster.write(path, BLOCK, (short) 3);
    }
    return paths;
  }

  /** Reads a file as a client on a host that is no DataNode, in a rack without DataNodes. */
  void readRemotely(int reader, String path) throws IOException {
    CallerContext before = CallerContext.getCurrent();
    CallerContext.setCurrent(new CallerContext.Builder(
        "clientIp:10.9." + reader / 250 + "." + reader % 250).build());
    try (FSDataInputStream in = cluster.fs().open(new Path(path))) {
      in.readFully(0, new byte[BLOCK]);
    } finally {
      CallerContext.setCurrent(before);
    }
    cluster.settle();
  }

  /** @return the DataNodes whose local cache has all pages of a file. */
  List<Integer> copies(String path) throws IOException {
    ExtendedBlock block = cluster.block(path);
    return running().filter(i -> {
      CachedBlock cached = cluster.cached(i, block);
      return cached != null && cached.wholePages() == BLOCK / LocalCacheCluster.PAGE;
    }).boxed().toList();
  }

  /** @return a counter, summed over the DataNodes. */
  long total(Event event) {
    return running().mapToLong(i -> cluster.metrics(i).total(event)).sum();
  }

  /** @return reads with an outcome, summed over the DataNodes. */
  long total(ReadOutcome outcome) {
    return running().mapToLong(i -> cluster.metrics(i).reads(outcome)).sum();
  }

  private IntStream running() {
    return IntStream.range(0, cluster.mini().getDataNodes().size());
  }

  @Override
  public void close() {
    cluster.close();
  }
}

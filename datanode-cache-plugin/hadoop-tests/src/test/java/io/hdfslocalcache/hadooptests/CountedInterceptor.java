/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.hadooptests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.InterceptedRead;
import org.apache.hadoop.hdfs.server.datanode.ReadingClient;
import org.apache.hadoop.hdfs.server.datanode.Replica;

/**
 * The local cache, counted, and used more than it would be by tests that read most files once.
 *
 * <p>With {@value #FILL_BEFORE}, replicas with an odd block id are filled before a client reads
 * them, so that already the first read is served from pages. Those with an even id are filled as in
 * production, after the first read, while the test goes on.
 */
public final class CountedInterceptor implements BlockReaderInterceptor {

  static final String FILL_BEFORE = "hadooptests.fill.before.read";
  private static final int PAGE_SIZE = 4096;
  /** Larger blocks are filled by their reads only. Those that take too long become partial hits. */
  private static final int MAX_FILLED_BEFORE = 2048 * PAGE_SIZE;
  private static final int MAX_WAIT_MILLIS = 1000;
  private static final long SLOW_NANOS = 15_000_000;
  /** Directories in use. Some tests leave their cluster running, and start the next one. */
  private static final Set<Path> IN_USE = ConcurrentHashMap.newKeySet();

  private final LocalCacheInterceptor localCache = new LocalCacheInterceptor(PAGE_SIZE);
  private boolean fillsBefore;
  private Path directory;

  @Override
  public void start(DataNode datanode) throws IOException {
    fillsBefore = datanode.getConf().getBoolean(FILL_BEFORE, false);
    useOwnDirectory(datanode.getConf());
    ReadCounts.add(localCache.metrics());
    localCache.start(datanode);
  }

  /** The DataNodes of a cluster have the same configuration, but for their data directories. */
  private void useOwnDirectory(Configuration conf) throws IOException {
    Path all = Files.createDirectories(Path.of(System.getProperty(ResultsListener.LOCAL_CACHE)));
    String data = conf.get(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, "");
    int number = 0;
    do {
      directory = all.resolve("dn-" + Integer.toHexString(data.hashCode()) + "-" + number);
      number++;
    } while (!IN_USE.add(directory));
    conf.set(LocalCacheKeys.DIRECTORIES, directory.toString());
  }

  @Override
  public void storageReady(DataNode datanode) throws IOException {
    localCache.storageReady(datanode);
  }

  @Override
  public InterceptedRead beginRead(
      ReadingClient client, ExtendedBlock block, Replica replica, long offset, long length) {
    LocalCache cache = localCache.cache();
    if (cache != null && fillsBefore && isFilledBefore(client, replica)) {
      fill(cache, block.getBlockPoolId(), replica, offset);
    }
    if (cache != null && replica.getVolume() != null && replica.getBlockId() % 4 < 2) {
      // As from a disk: the read fills what it misses. Others may come from memory.
      cache.volumeOf(new BlockKey(block.getBlockPoolId(), replica.getBlockId()))
          .took(1, SLOW_NANOS);
    }
    return localCache.beginRead(client, block, replica, offset, length);
  }

  private static boolean isFilledBefore(ReadingClient client, Replica replica) {
    return !client.name().isEmpty() && replica.getBlockId() % 2 != 0
        && replica.getState() == ReplicaState.FINALIZED;
  }

  private static void fill(LocalCache cache, String bpid, Replica replica, long offset) {
    ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey(bpid, replica.getBlockId()),
        replica.getGenerationStamp(), replica.getNumBytes());
    if (offset < 0 || offset >= snapshot.length() || snapshot.length() > MAX_FILLED_BEFORE) {
      return;
    }
    cache.fills().submit(FillRequest.order(cache.volumeOf(snapshot.key()), snapshot, null));
    try {
      for (int i = 0; i < MAX_WAIT_MILLIS && cache.isFilling(); i++) {
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void replicaChanged(String bpid, Replica before, Replica after) {
    localCache.replicaChanged(bpid, before, after);
  }

  @Override
  public void blockPoolReady(DataNode datanode, String bpid) {
    localCache.blockPoolReady(datanode, bpid);
  }

  @Override
  public void blockPoolRemoved(String bpid, LongFunction<Replica> left) {
    localCache.blockPoolRemoved(bpid, left);
  }

  @Override
  public void shutdownBegins() {
    localCache.shutdownBegins();
  }

  @Override
  public void close() {
    localCache.close();
    IN_USE.remove(directory);
  }
}

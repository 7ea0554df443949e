/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.restore;

import static org.junit.Assert.assertArrayEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.read.SnapshotReader;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.ssd.KeptState;
import io.hdfslocalcache.ratelimit.AdmitAll;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/** A DataNode whose replicas are made from block and generation stamp, with a real local cache. */
class MemoryDataNode implements ReplicaAccess {

  static final String POOL = "BP-1-127.0.0.1-1";

  private static final DataChecksum CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  private final Map<BlockKey, Long> stamps = new ConcurrentHashMap<>();
  final LocalCacheMetrics metrics = new LocalCacheMetrics();
  /** The identity of all replicas. */
  volatile ReplicaIdentity identity = new ReplicaIdentity(1, 2, 3);
  /** How often a replica's identity was asked for. */
  final AtomicInteger looks = new AtomicInteger();

  static BlockKey key(long block) {
    return new BlockKey(POOL, block);
  }

  /** Gives the DataNode a replica, without telling the local cache. */
  void put(BlockKey key, long stamp) {
    stamps.put(key, stamp);
  }

  /** Takes the replica away, without telling the local cache. */
  void remove(BlockKey key) {
    stamps.remove(key);
  }

  /** @return the replica as it is now, or null. */
  ReplicaSnapshot snapshot(BlockKey key) {
    Long stamp = stamps.get(key);
    return stamp == null ? null : snapshot(key, stamp);
  }

  private static ReplicaSnapshot snapshot(BlockKey key, long stamp) {
    long length = 1 + new Random(key.blockId() * 31 + stamp).nextInt(60_000);
    return new ReplicaSnapshot(key, stamp, length);
  }

  static byte[] bytes(ReplicaSnapshot snapshot) {
    byte[] bytes = new byte[(int) snapshot.length()];
    new Random(snapshot.key().blockId() * 1_000_003 + snapshot.generationStamp()).nextBytes(bytes);
    return bytes;
  }

  /** Opens a local cache that admits every block at its first read. */
  LocalCache open(LocalCacheConfig config) throws IOException {
    return new LocalCache(config, new OnOff(true, true, metrics), new AdmitAll(null, null), this, metrics,
        "dn-uuid", message -> { }, RuleKeeper.none(), KeptState.nowhere());
  }

  /**
   * Reads a part of a replica, and compares it.
   *
   * @return whether pages were used
   */
  boolean readAndCompare(LocalCache cache, BlockKey key, int from, int to) throws IOException {
    ReplicaSnapshot snapshot = snapshot(key);
    int end = (int) Math.min(to, snapshot.length());
    ClientRead read = cache.read("client", null, snapshot, snapshot.generationStamp(),
        null, from, end - from);
    try {
      SnapshotReader reader = read.reader().orElse(null);
      if (reader == null) {
        return false;
      }
      reader.seek(from);
      byte[] bytes = new byte[end - from];
      reader.readData(bytes, 0, bytes.length);
      assertArrayEquals(snapshot + " from " + from,
          Arrays.copyOfRange(bytes(snapshot), from, end), bytes);
      return reader.bytesFromPages() == bytes.length;
    } finally {
      read.finish(end);
      read.reader().ifPresent(SnapshotReader::close);
    }
  }

  boolean readAndCompare(LocalCache cache, BlockKey key) throws IOException {
    return readAndCompare(cache, key, 0, Integer.MAX_VALUE);
  }

  @Override
  public boolean isCurrent(ReplicaSnapshot snapshot) {
    return snapshot.equals(snapshot(snapshot.key()));
  }

  @Override
  public String volumeOf(BlockKey key) {
    return "volume";
  }

  @Override
  public ReplicaIdentity identity(ReplicaSnapshot snapshot) throws IOException {
    looks.incrementAndGet();
    return identity;
  }

  @Override
  public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
    if (!isCurrent(snapshot)) {
      throw new IOException("no longer: " + snapshot);
    }
    byte[] data = bytes(snapshot);
    byte[] sums = new byte[(data.length + 511) / 512 * CHECKSUM.getChecksumSize()];
    CHECKSUM.calculateChunkedSums(data, 0, data.length, sums, 0);
    return new Files(identity, data, sums);
  }

  @Override
  public ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
      throws IOException {
    return open(snapshot);
  }

  private record Files(ReplicaIdentity identity, byte[] data, byte[] sums) implements ReplicaFiles {

    @Override
    public DataChecksum checksum() {
      return CHECKSUM;
    }

    @Override
    public void readData(long position, ByteBuffer buffer) {
      buffer.put(data, (int) position, buffer.remaining());
    }

    @Override
    public void readChecksums(long position, ByteBuffer buffer) {
      buffer.put(sums, (int) position, buffer.remaining());
    }

    @Override
    public void transferTo(SocketOutputStream out, long position, int length,
        LongWritable waitTime, LongWritable transferTime) {
      throw new UnsupportedOperationException("no socket here");
    }

    @Override
    public boolean retain() {
      return true;
    }

    @Override
    public void close() {
    }
  }
}

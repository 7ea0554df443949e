/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;

import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * Pairs of clients read a new block, so that they fill it. One of them stops reading for seconds,
 * and then disconnects or continues; the other does not wait for it. Meanwhile the replica is
 * appended to or deleted, or an operator clears its pages. Both get the block as it was when they
 * began.
 */
final class RoughClients extends Background {

  /** More than socket buffers hold, so that the DataNode waits for a client that does not read. */
  static final int LENGTH = (4 << 20) - 100;

  private static final int APPENDED = 5000;
  private static final int MAX_STOP_MILLIS = 4000;
  private static final int MAX_PACKETS = 10;

  private final LocalCacheCluster cluster;
  private final String directory = "/rough-" + System.nanoTime() + "/";
  private final SplittableRandom random;
  private int rounds;

  RoughClients(LocalCacheCluster cluster, long seed) {
    this.cluster = cluster;
    this.random = new SplittableRandom(seed);
    begin("rough-clients");
  }

  @Override
  void again() throws IOException {
    String name = directory + rounds;
    byte[] bytes = cluster.write(name, LENGTH);
    ExtendedBlock block = cluster.block(name);
    try (RawReader stopping = begin(block); RawReader other = begin(block)) {
      for (int i = random.nextInt(MAX_PACKETS); i >= 0; i--) {
        stopping.next();
      }
      byte[] after = change(name, block, bytes);
      compare(name, bytes, other.readToEnd());
      pause(random.nextInt(MAX_STOP_MILLIS));
      if (random.nextBoolean()) {
        compare(name, bytes, stopping.readToEnd());
      }
      if (after != bytes) {
        readAndCompare(cluster, name, after);
      }
    }
    cluster.fs().delete(new Path(name), false);
    rounds++;
  }

  private RawReader begin(ExtendedBlock block) throws IOException {
    return new RawReader(cluster.dataNode(0), block, "rough-client", 0, LENGTH);
  }

  /** @return what the file must contain afterwards. */
  private byte[] change(String name, ExtendedBlock block, byte[] before) throws IOException {
    switch (random.nextInt(4)) {
      case 0 -> {
        byte[] after = Arrays.copyOf(before, LENGTH + APPENDED);
        System.arraycopy(cluster.append(name, APPENDED), 0, after, LENGTH, APPENDED);
        return after;
      }
      case 1 -> cluster.fs().delete(new Path(name), false);
      case 2 -> cluster.view(0).clear(LocalCacheCluster.key(block), "fault test");
      default -> { }
    }
    return before;
  }

  private static void compare(String name, byte[] expected, RawReader reader) {
    if (!Arrays.equals(expected, reader.bytes())) {
      throw new AssertionError("wrong bytes in " + name);
    }
  }
}

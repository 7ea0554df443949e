/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.restore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Random;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import org.apache.hadoop.conf.Configuration;

/**
 * A process that reads, fills, evicts and changes replicas until it is killed. Which replicas there
 * are is written down before the local cache hears of it, as HDFS does.
 */
final class CrashingDataNode {

  static final int BLOCKS = 24;
  static final int WRONG_BYTES = 3;
  static final String READY = "ready";

  private static final int READERS = 3;

  private final MemoryDataNode dataNode = new MemoryDataNode();
  private final Path truth;

  private CrashingDataNode(Path root) throws IOException {
    truth = Files.createDirectories(root.resolve("truth"));
  }

  /** @return the DataNode as it was written down. */
  static MemoryDataNode load(Path root) throws IOException {
    MemoryDataNode dataNode = new MemoryDataNode();
    for (int id = 0; id < BLOCKS; id++) {
      Path file = root.resolve("truth/" + id);
      dataNode.put(MemoryDataNode.key(id),
          Files.exists(file) ? Long.parseLong(Files.readString(file)) : 1001);
    }
    return dataNode;
  }

  static LocalCacheConfig config(Path root) throws IOException {
    Configuration conf = new Configuration(false);
    conf.setBoolean(LocalCacheKeys.REQUIRE_MOUNT, false);
    conf.set(LocalCacheKeys.DIRECTORIES, root.resolve("ssd0") + "," + root.resolve("ssd1"));
    // Less than half of what is read.
    conf.set(LocalCacheKeys.CAPACITY, "200k");
    conf.set(LocalCacheKeys.RESERVED, "0");
    conf.set(LocalCacheKeys.PAGE_SIZE, "4k");
    conf.set(LocalCacheKeys.MEMORY_SIZE, "100k");
    return LocalCacheConfig.from(conf);
  }

  /** Arguments: directory, seed. */
  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]);
    new CrashingDataNode(root).run(load(root), config(root), Long.parseLong(args[1]));
  }

  private void run(MemoryDataNode node, LocalCacheConfig config, long seed) throws Exception {
    LocalCache cache = node.open(config);
    for (int i = 0; i < READERS; i++) {
      Random random = new Random(seed + i);
      new Thread(() -> readForEver(node, cache, random)).start();
    }
    // In the middle of reads, so that some come before, and some while pages are restored.
    cache.blockPoolReady(MemoryDataNode.POOL, 1);
    System.out.println(READY);
    Random random = new Random(~seed);
    while (true) {
      BlockKey key = MemoryDataNode.key(random.nextInt(BLOCKS));
      synchronized (key.toString().intern()) {
        ReplicaSnapshot old = node.snapshot(key);
        write(key, old.generationStamp() + 1);
        node.put(key, old.generationStamp() + 1);
        cache.changes().replicaChanged(key, null, false, node::open, "changed by a test");
      }
      Thread.sleep(random.nextInt(20));
    }
  }

  private void write(BlockKey key, long stamp) throws IOException {
    Path temporary = Files.writeString(truth.resolve("tmp"), String.valueOf(stamp));
    Files.move(temporary, truth.resolve(String.valueOf(key.blockId())),
        StandardCopyOption.ATOMIC_MOVE);
  }

  private static void readForEver(MemoryDataNode node, LocalCache cache, Random random) {
    while (true) {
      BlockKey key = MemoryDataNode.key(random.nextInt(BLOCKS));
      try {
        // A read that has begun before a change may need the old replica, which is not kept here.
        synchronized (key.toString().intern()) {
          node.readAndCompare(cache, key);
        }
      } catch (IOException e) {
        e.printStackTrace();
      } catch (AssertionError e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(WRONG_BYTES);
      }
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.oracle;

import static org.junit.Assert.assertTrue;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import org.junit.Test;

/**
 * Runs the same random operations on a cached and a stock cluster and compares every byte, with
 * each other and with what was written. Prints its seed; to repeat or to run for longer:
 *
 * <pre>
 *   mvn -pl datanode-cache-plugin -am verify -Dtest=TestAgainstStock \
 *       -Dsurefire.failIfNoSpecifiedTests=false -Doracle.seed=1 -Doracle.steps=20000
 * </pre>
 */
public class TestAgainstStock {

  /** One for the life of the JVM: a test that is run again repeats the same operations. */
  private static final long SEED = Long.getLong("oracle.seed", System.nanoTime());
  private static final int STEPS = Integer.getInteger("oracle.steps", 200);

  @Test
  public void randomOperations_cachedAndStockAgree() throws Exception {
    System.out.println("-Doracle.seed=" + SEED + " -Doracle.steps=" + STEPS);
    try (LocalCacheCluster cached = LocalCacheCluster.builder().blockSize(64 << 10).ssds(2)
            // Replicas that move to the last volume are not cached there.
            .storageTypes(StorageType.DISK, StorageType.DISK, StorageType.SSD)
            // Three file system blocks, 24 chunks: no power of two, so nothing aligns by luck.
            .set(LocalCacheKeys.PAGE_SIZE, 12_288)
            // About a quarter of the data, so that there is eviction.
            .set(LocalCacheKeys.CAPACITY, 400 << 10)
            .set(LocalCacheKeys.MEMORY_SIZE, "256k")
            .start();
        LocalCacheCluster stock = LocalCacheCluster.builder().blockSize(64 << 10)
            .storageTypes(StorageType.DISK, StorageType.DISK, StorageType.SSD)
            .set(BlockReaderInterceptor.CLASS_KEY, "").start()) {
      RandomOperations operations = new RandomOperations(SEED, cached, stock);
      for (int step = 0; step < STEPS; step++) {
        operations.step(step);
        if (step % 1000 == 999) {
          System.out.println("-Doracle.seed=" + SEED + ": " + (step + 1) + " steps");
        }
      }
      operations.finish();
      System.out.println(operations.summary());
      assertTrue("reads really came from the SSD", operations.hits() > STEPS / 20);
    }
  }
}

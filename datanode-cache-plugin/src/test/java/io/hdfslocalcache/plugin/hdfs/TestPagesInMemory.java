/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.Test;

/** Pages in memory are as valid as those on the SSD, and are removed with them. */
public class TestPagesInMemory extends ClusterFixture {

  private static final int LENGTH = 300_000;
  private static final int PAGES = LENGTH / LocalCacheCluster.PAGE + 1;

  private byte[] bytes;

  private void start(LocalCacheCluster.Builder builder) throws Exception {
    cluster = builder.start();
    bytes = cluster.write("/file", LENGTH);
    cluster.readUntilCached("/file");
  }

  private void startInMemory() throws Exception {
    start(LocalCacheCluster.builder());
    assumeTrue("there is a tmpfs", memory().capacityBytes() > 0);
    assertArrayEquals(bytes, cluster.readUntilInMemory("/file"));
    assertEquals(PAGES, memory().pages());
  }

  private MemoryTier memory() {
    return cluster.cache(0).memory();
  }

  /** A rolling restart would otherwise make the cluster cold unnoticed. */
  @Test
  public void restart_whatWasInMemoryIsThereBeforeAnybodyReadsIt() throws Exception {
    startInMemory();
    cluster.restartDataNode(0);
    LocalCacheCluster.await("in memory", () -> memory().pages() == PAGES);
    assertArrayEquals(bytes, cluster.read("/file"));
    assertEquals(LENGTH, cluster.metrics(0).total(Event.BYTES_MEMORY));
    assertEquals(0, cluster.metrics(0).errors());
  }

  @Test
  public void manyClientsThatStopReading_holdFewBuffersAndGiveThemBack() throws Exception {
    int length = 4 << 20;
    start(LocalCacheCluster.builder().blockSize(length).set(LocalCacheKeys.MEMORY_SIZE, 0)
        .set(LocalCacheKeys.PAGE_SIZE, 1 << 20));
    byte[] large = cluster.write("/large", length);
    cluster.readUntilCached("/large");
    ExtendedBlock block = cluster.block("/large");
    List<RawReader> clients = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      clients.add(new RawReader(cluster.dataNode(0), block, "test", 0, length));
      clients.get(i).next();
    }
    assertTrue(cluster.cache(0).memory().gauges().bufferBytes() > 0);
    for (int i = 0; i < clients.size(); i++) {
      if (i % 2 == 0) {
        assertArrayEquals(large, clients.get(i).readToEnd().bytes());
      }
      clients.get(i).close();
    }
    cluster.awaitEndOfReads();
    LocalCacheCluster.await("buffers are given back",
        () -> cluster.cache(0).memory().gauges().bufferBytes() == 0);
    assertEquals(List.of(), TestingSsd.openFilesBelow(cluster.directory().resolve("ssd0")).stream()
        .filter(file -> file.contains("/LOCAL/")).toList());
  }
}

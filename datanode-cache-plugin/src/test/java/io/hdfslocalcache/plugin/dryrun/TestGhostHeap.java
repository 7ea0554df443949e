/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.dryrun;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.DryRunConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

/** What a page of a ghost takes of the DataNode's heap. */
public class TestGhostHeap {

  private static final int PAGE = 4096;

  @Test
  public void page_ofABlockThatIsReadWhole_isBounded() throws Exception {
    double bytes = heapOfAPage(2000, 128);
    System.out.printf("%.0f bytes of heap for a page%n", bytes);
    assertTrue("bytes of a page: " + bytes, bytes < 200);
  }

  @Test
  public void blockWithOnePage_isBounded() throws Exception {
    double bytes = heapOfAPage(100_000, 1);
    System.out.printf("%.0f bytes of heap for a block with one page%n", bytes);
    assertTrue("bytes of a block: " + bytes, bytes < 1000);
  }

  /** @return bytes of heap for each page of some blocks that are read whole. */
  private static double heapOfAPage(int blocks, int pagesOfBlock) throws Exception {
    Configuration conf = new Configuration(false);
    conf.setBoolean(LocalCacheKeys.DRY_RUN, true);
    conf.set(LocalCacheKeys.PAGE_SIZE, String.valueOf(PAGE));
    conf.set(LocalCacheKeys.CAPACITY, "10g");
    conf.set("dfs.datanode.local.cache.rate.limiter.class", "admit-all");
    // Without a record of its calls, which would be what is measured.
    ReplicaAccess replicas = mock(ReplicaAccess.class, withSettings().stubOnly());
    when(replicas.isCurrent(any())).thenReturn(true);
    Ghosts ghosts = new Ghosts(DryRunConfig.from(conf), replicas, () -> true, () -> 0);
    long length = (long) pagesOfBlock * PAGE;
    long before = usedHeap();
    for (int i = 0; i < blocks; i++) {
      ReplicaSnapshot snapshot =
          new ReplicaSnapshot(new BlockKey("BP-1-10.0.0.1-2", i), 1, length);
      ghosts.beginRead("client", null, snapshot, 1, null, 0, length).finished(length);
    }
    double bytes = (double) (usedHeap() - before) / (blocks * pagesOfBlock);
    assertEquals(blocks * pagesOfBlock, ghosts.all().get(0).gauges().pages());
    return bytes;
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/** Reads through ordinary clients: when they fill, when they hit, and that no byte differs. */
public class TestLocalCacheReads {

  private static final int THRESHOLD = 2;
  private static final int BLOCK = 1 << 20;

  private static LocalCacheCluster cluster;

  private long hits;

  @BeforeClass
  public static void start() throws Exception {
    cluster = LocalCacheCluster.builder().threshold(THRESHOLD).blockSize(BLOCK).start();
  }

  @AfterClass
  public static void stop() {
    cluster.close();
  }

  @Before
  public void remember() {
    hits = cluster.reads(ReadOutcome.HIT);
  }

  private void cache(String path) throws Exception {
    for (int i = 0; i <= THRESHOLD; i++) {
      cluster.read(path);
    }
    cluster.settle();
    remember();
  }

  @Test
  public void read_notOftenEnough_cachesNothing() throws Exception {
    byte[] bytes = cluster.write("/seldom", 100_000);
    long misses = cluster.reads(ReadOutcome.MISS_NOT_ADMITTED);
    for (int i = 0; i < THRESHOLD; i++) {
      assertArrayEquals(bytes, cluster.read("/seldom"));
    }
    cluster.settle();
    assertNull(cluster.cached(0, "/seldom"));
    assertEquals(0, cluster.pageFiles(cluster.block("/seldom")).size());
    assertEquals(THRESHOLD, cluster.reads(ReadOutcome.MISS_NOT_ADMITTED) - misses);
    assertEquals(0, cluster.reads(ReadOutcome.HIT) - hits);
  }

  @Test
  public void read_oftenEnough_nextReadIsHitWithSameBytes() throws Exception {
    byte[] bytes = cluster.write("/hot", BLOCK);
    cache("/hot");
    assertEquals(BLOCK / LocalCacheCluster.PAGE, cluster.cached(0, "/hot").pages());
    long hitBytes = cluster.metrics(0).total(Event.BYTES_HIT);
    assertArrayEquals(bytes, cluster.read("/hot"));
    assertEquals(1, cluster.reads(ReadOutcome.HIT) - hits);
    assertEquals(BLOCK, cluster.metrics(0).total(Event.BYTES_HIT) - hitBytes);
  }

  @Test
  public void pread_anyRange_isHitWithSameBytes() throws Exception {
    int length = 3 * LocalCacheCluster.PAGE + 777;
    byte[] bytes = cluster.write("/ranges", length);
    cache("/ranges");
    int[][] ranges = {{0, 1}, {0, 511}, {0, 512}, {0, 513}, {511, 1}, {511, 2}, {512, 512},
        {LocalCacheCluster.PAGE - 1, 1}, {LocalCacheCluster.PAGE - 1, 2},
        {LocalCacheCluster.PAGE, LocalCacheCluster.PAGE}, {length - 1, 1}, {length - 777, 777},
        {length - 265, 265}, {length - 266, 266}, {1, length - 2}, {0, length}};
    for (int[] range : ranges) {
      assertRange("/ranges", bytes, range[0], range[1]);
    }
    assertEquals(ranges.length, cluster.reads(ReadOutcome.HIT) - hits);
  }

  private void assertRange(String path, byte[] bytes, int offset, int length) throws Exception {
    assertArrayEquals(path + " from " + offset + ", " + length + " bytes",
        Arrays.copyOfRange(bytes, offset, offset + length), cluster.pread(path, offset, length));
  }

  @Test
  public void read_somePagesCached_isPartialHitAndFillsTheRest() throws Exception {
    byte[] bytes = cluster.write("/part", BLOCK);
    int page = LocalCacheCluster.PAGE;
    for (int i = 0; i <= THRESHOLD; i++) {
      assertRange("/part", bytes, 5 * page, page);
    }
    cluster.settle();
    assertEquals("only what was touched is cached", 1, cluster.cached(0, "/part").pages());
    long partial = cluster.reads(ReadOutcome.PARTIAL_HIT);
    assertArrayEquals(bytes, cluster.read("/part"));
    assertEquals(1, cluster.reads(ReadOutcome.PARTIAL_HIT) - partial);
    cluster.settle();
    assertEquals(BLOCK / page, cluster.cached(0, "/part").pages());
    assertArrayEquals(bytes, cluster.read("/part"));
    assertEquals(1, cluster.reads(ReadOutcome.HIT) - hits);
  }

  @Test
  public void read_tinyAndEmptyFiles_sameBytes() throws Exception {
    for (int length : new int[] {0, 1, 511, 512, 513}) {
      String path = "/tiny" + length;
      byte[] bytes = cluster.write(path, length);
      cache(path);
      assertArrayEquals(bytes, cluster.read(path));
      assertEquals(length == 0 ? 0 : 1, cluster.reads(ReadOutcome.HIT) - hits);
    }
  }

  @Test
  public void errors_none() {
    assertEquals(0, cluster.metrics(0).errors());
    assertTrue(cluster.interceptor(0).onOff().isOn());
  }
}

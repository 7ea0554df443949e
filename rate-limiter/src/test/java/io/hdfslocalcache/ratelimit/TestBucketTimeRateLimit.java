/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** Boundaries of the threshold, of time and of memory; {@link NaiveRateLimit} tests the rest. */
public class TestBucketTimeRateLimit {
  private static final String POOL = "BP-1-10.0.0.1-1";
  private static final long BLOCK = 1L << 30;

  private final TestingClock clock = new TestingClock();

  @Test
  public void defaults_eleventhAccess_admitted() {
    BucketTimeRateLimit limiter = limiter();
    record(limiter, BLOCK, 10);
    assertFalse(limiter.admits(POOL, BLOCK));
    record(limiter, BLOCK, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void explain_beforeAndAfterTheThreshold_saysWhichAndWhy() {
    BucketTimeRateLimit limiter = limiter("threshold", "3");
    record(limiter, BLOCK, 3);
    assertEquals(3, limiter.accesses(POOL, BLOCK));
    assertEquals("it has to be read more than 3 times within 10 min",
        limiter.explain(POOL, BLOCK));
    record(limiter, BLOCK, 1);
    assertEquals(4, limiter.accesses(POOL, BLOCK));
    assertEquals("it was read more than 3 times within 10 min", limiter.explain(POOL, BLOCK));
  }

  @Test
  public void poolId_equalStringsOfDifferentIdentity_areOnePool() {
    BucketTimeRateLimit limiter = limiter("threshold", "0");
    limiter.record(new StringBuilder(POOL).toString(), BLOCK, 1);
    assertTrue(limiter.admits(new StringBuilder(POOL).toString(), BLOCK));
  }

  @Test
  public void asManyBlocksAsThereIsRoomFor_noneForgotten() {
    BucketTimeRateLimit limiter = limiter("threshold", "0", "max.blocks", "100000");
    for (long id = 0; id < 100_000; id++) {
      limiter.record(POOL, id, 1);
    }
    assertEquals(100_000, limiter.liveBlocks());
    assertEquals(0, limiter.forgottenBlocks());
    assertTrue(limiter.heapBytes() + " bytes", limiter.heapBytes() <= 32 * 100_000);
  }

  @Test
  public void newBlocksEveryWindow_takeTheRoomOfTheOld_noneForgotten() {
    BucketTimeRateLimit limiter = limiter("threshold", "0", "max.blocks", "10000");
    for (int window = 0; window < 20; window++) {
      clock.setMinute(window * 10);
      for (long id = 0; id < 10_000; id++) {
        limiter.record(POOL, window * 10_000 + id, 1);
      }
      assertEquals(10_000, limiter.liveBlocks());
    }
    assertEquals(0, limiter.forgottenBlocks());
  }

  @Test
  public void moreBlocksThanRoom_coldestForgotten_hotRemain_allCounted() {
    BucketTimeRateLimit limiter = limiter("threshold", "2", "max.blocks", "1024");
    for (long hot = 0; hot < 200; hot++) {
      record(limiter, hot, 3);
    }
    for (long cold = 1000; cold < 101_000; cold++) {
      limiter.record(POOL, cold, 1);
    }
    for (long hot = 0; hot < 200; hot++) {
      assertTrue("block " + hot, limiter.admits(POOL, hot));
    }
    int live = limiter.liveBlocks();
    assertTrue(live + " live", live <= 1544);
    assertEquals(100_200 - live, limiter.forgottenBlocks());
    assertEquals(Map.of("ForgottenBlocks", limiter.forgottenBlocks()), limiter.metrics());
  }

  @Test
  public void recordAndAdmits_newBlocksAndMinutes_allocateNothing() {
    BucketTimeRateLimit limiter = limiter("threshold", "5", "max.blocks", "1024");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    recordAndAsk(limiter, 20_000);
    long before = threads.getCurrentThreadAllocatedBytes();
    recordAndAsk(limiter, 100_000);
    // The measurement itself allocates some.
    assertEquals(0, (threads.getCurrentThreadAllocatedBytes() - before) / 1000);
  }

  private void recordAndAsk(BucketTimeRateLimit limiter, int times) {
    for (int i = 0; i < times; i++) {
      limiter.record(POOL, i % 5000, 1);
      limiter.admits(POOL, i % 77);
      clock.advanceMillis(10);
    }
  }

  @Test
  public void longWindow_bucketsAreLonger_readsCountForTheWindowButForABucket() {
    // 12 buckets of five minutes.
    BucketTimeRateLimit limiter = limiter("threshold", "10", "window", "60m");
    record(limiter, BLOCK, 11);
    clock.setMinute(59);
    assertTrue(limiter.admits(POOL, BLOCK));
    clock.setMinute(60);
    assertFalse(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void greatestThreshold_readsCountForHalfTheWindowAtLeast() {
    BucketTimeRateLimit limiter = limiter("threshold", "1000000", "window", "10m");
    record(limiter, BLOCK, 500_000);
    clock.setMinute(9);
    record(limiter, BLOCK, 500_000);
    assertFalse(limiter.admits(POOL, BLOCK));
    record(limiter, BLOCK, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
    clock.setMinute(10);
    assertFalse(limiter.admits(POOL, BLOCK));
    assertEquals(500_001, limiter.accesses(POOL, BLOCK));
  }

  private void record(BucketTimeRateLimit limiter, long block, int times) {
    for (int i = 0; i < times; i++) {
      limiter.record(POOL, block, 65536);
    }
  }

  private BucketTimeRateLimit limiter(String... keysAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put("dfs.datanode.local.cache.rate.limiter." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return new BucketTimeRateLimit(RateLimiterConfig.of(values), clock);
  }
}

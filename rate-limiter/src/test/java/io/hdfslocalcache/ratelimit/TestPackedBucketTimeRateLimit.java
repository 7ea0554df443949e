/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** Time, memory and configuration of the packed limiter; its decisions are tested by the model. */
public class TestPackedBucketTimeRateLimit {
  private static final String POOL = "BP-1-10.0.0.1-1";
  private static final String OTHER_POOL = "BP-2-10.0.0.2-2";

  private final TestingClock clock = new TestingClock();

  @Test
  public void lateThread_previousMinute_keepsHistoryAndIsCounted() {
    PackedBucketTimeRateLimit limiter = limiter("threshold", "12");
    clock.setMinute(1);
    record(limiter, 7, 12);
    clock.setMillis(TestingClock.MINUTE - 1);
    record(limiter, 7, 1);
    assertTrue(limiter.admits(POOL, 7));
    clock.setMinute(10);
    assertTrue(limiter.admits(POOL, 7));
    clock.setMinute(11);
    assertFalse(limiter.admits(POOL, 7));
  }

  @Test
  public void twoPools_sameBlockIds_neverMix() {
    PackedBucketTimeRateLimit limiter = limiter("threshold", "0");
    for (long id = 0; id < 5000; id++) {
      limiter.record(POOL, id, 1);
    }
    for (long id = 0; id < 5000; id++) {
      assertTrue(limiter.admits(POOL, id));
      assertFalse(limiter.admits(OTHER_POOL, id));
    }
  }

  @Test
  public void asManyBlocksAsThereIsRoomFor_noneForgotten() {
    PackedBucketTimeRateLimit limiter = limiter("threshold", "0", "max.blocks", "100000");
    for (long id = 0; id < 100_000; id++) {
      limiter.record(POOL, id, 1);
    }
    assertEquals(100_000, limiter.liveBlocks());
    assertEquals(0, limiter.forgottenBlocks());
    assertTrue(limiter.heapBytes() + " bytes", limiter.heapBytes() <= 32 * 100_000);
  }

  @Test
  public void newBlocksEveryWindow_takeTheRoomOfTheOld_noneForgotten() {
    PackedBucketTimeRateLimit limiter = limiter("threshold", "0", "max.blocks", "10000");
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
    PackedBucketTimeRateLimit limiter = limiter("threshold", "2", "max.blocks", "1024");
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
    PackedBucketTimeRateLimit limiter = limiter("threshold", "5", "max.blocks", "1024");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    recordAndAsk(limiter, 20_000);
    long before = threads.getCurrentThreadAllocatedBytes();
    recordAndAsk(limiter, 100_000);
    // The measuring itself takes some.
    assertEquals(0, (threads.getCurrentThreadAllocatedBytes() - before) / 1000);
  }

  private void recordAndAsk(PackedBucketTimeRateLimit limiter, int times) {
    for (int i = 0; i < times; i++) {
      limiter.record(POOL, i % 5000, 1);
      limiter.admits(POOL, i % 77);
      clock.advanceMillis(10);
    }
  }

  @Test
  public void thresholdAndWindowTooLarge_refusedWithKeyAndLimit() {
    limiter("threshold", "10", "window", "30m");
    String message = assertThrows(IllegalArgumentException.class,
        () -> limiter("threshold", "10", "window", "31m")).getMessage();
    assertEquals("dfs.datanode.local.cache.rate.limiter.window = '31m': threshold and buckets of "
        + "the window together must be no more than 40 for PackedBucketTimeRateLimit", message);
  }

  private void record(PackedBucketTimeRateLimit limiter, long block, int times) {
    for (int i = 0; i < times; i++) {
      limiter.record(POOL, block, 65536);
    }
  }

  private PackedBucketTimeRateLimit limiter(String... keysAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put("dfs.datanode.local.cache.rate.limiter." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return new PackedBucketTimeRateLimit(RateLimiterConfig.of(values), clock);
  }
}

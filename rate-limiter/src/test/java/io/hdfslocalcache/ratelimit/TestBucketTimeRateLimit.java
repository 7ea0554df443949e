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
  private static final String OTHER_POOL = "BP-2-10.0.0.2-2";
  private static final long BLOCK = 1L << 30;

  private final TestingClock clock = new TestingClock();

  @Test
  public void accesses_exactlyThreshold_notAdmitted_oneMore_admitted() {
    BucketTimeRateLimit limiter = limiter("threshold", "3");
    record(limiter, BLOCK, 3);
    assertFalse(limiter.admits(POOL, BLOCK));
    record(limiter, BLOCK, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
  }

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
  public void thresholdZero_admittedAtFirstRead_notBefore() {
    BucketTimeRateLimit limiter = limiter("threshold", "0");
    assertFalse(limiter.admits(POOL, BLOCK));
    record(limiter, BLOCK, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void admits_askedOften_countsNothing() {
    BucketTimeRateLimit limiter = limiter("threshold", "1");
    record(limiter, BLOCK, 1);
    for (int i = 0; i < 100; i++) {
      assertFalse(limiter.admits(POOL, BLOCK));
    }
    assertEquals(1, limiter.accesses(POOL, BLOCK));
  }

  @Test
  public void accesses_inDifferentMinutes_addUp() {
    BucketTimeRateLimit limiter = limiter("threshold", "9");
    for (int minute = 0; minute < 10; minute++) {
      clock.setMinute(minute);
      assertFalse(limiter.admits(POOL, BLOCK));
      record(limiter, BLOCK, 1);
    }
    assertTrue(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void minuteEdge_lastMillisecondOfWindow_admitted_next_notAdmitted() {
    BucketTimeRateLimit limiter = limiter("threshold", "0", "window", "3m");
    clock.setMillis(TestingClock.MINUTE - 1);
    record(limiter, BLOCK, 1);
    clock.setMillis(3 * TestingClock.MINUTE - 1);
    assertTrue(limiter.admits(POOL, BLOCK));
    clock.setMillis(3 * TestingClock.MINUTE);
    assertFalse(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void windowEdge_oldestBucketDropped_laterAccessesRemain() {
    BucketTimeRateLimit limiter = limiter("threshold", "1", "window", "2m");
    record(limiter, BLOCK, 2);
    clock.setMinute(1);
    record(limiter, BLOCK, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
    clock.setMinute(2);
    assertFalse(limiter.admits(POOL, BLOCK));
    record(limiter, BLOCK, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void oneBucket_nextMinute_startsFromNothing() {
    BucketTimeRateLimit limiter = limiter("threshold", "1", "window", "1m");
    record(limiter, BLOCK, 5);
    assertTrue(limiter.admits(POOL, BLOCK));
    clock.setMinute(1);
    record(limiter, BLOCK, 1);
    assertFalse(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void negativeTime_countsAcrossZero() {
    BucketTimeRateLimit limiter = limiter("threshold", "1", "window", "2m");
    clock.setMillis(-1);
    record(limiter, BLOCK, 1);
    clock.setMillis(0);
    record(limiter, BLOCK, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
    clock.setMinute(1);
    assertFalse(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void poolId_equalStringsOfDifferentIdentity_areOnePool() {
    BucketTimeRateLimit limiter = limiter("threshold", "0");
    limiter.record(new StringBuilder(POOL).toString(), BLOCK, 1);
    assertTrue(limiter.admits(new StringBuilder(POOL).toString(), BLOCK));
  }

  @Test
  public void lateThread_previousMinute_keepsHistoryAndIsCounted() {
    BucketTimeRateLimit limiter = limiter("threshold", "12");
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
    BucketTimeRateLimit limiter = limiter("threshold", "0");
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
    // The measuring itself takes some.
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
    // 25 buckets of 144 s.
    BucketTimeRateLimit limiter = limiter("threshold", "15", "window", "60m");
    record(limiter, BLOCK, 16);
    clock.setMillis(24 * 144_000);
    assertTrue(limiter.admits(POOL, BLOCK));
    clock.setMillis(25 * 144_000);
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

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

/** Boundaries of the threshold, of time and of memory. */
public class TestBucketTimeRateLimit {
  private static final String POOL = "BP-1-10.0.0.1-1";
  private static final String OTHER_POOL = "BP-2-10.0.0.2-2";
  private static final long BLOCK = 1L << 30;

  private final TestingClock clock = new TestingClock();

  @Test
  public void accesses_exactlyThreshold_notAdmitted_oneMore_admitted() {
    BucketTimeRateLimit limiter = limiter("threshold", "3");
    record(limiter, 3);
    assertFalse(limiter.admits(POOL, BLOCK));
    record(limiter, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void defaults_eleventhAccess_admitted() {
    BucketTimeRateLimit limiter = limiter();
    record(limiter, 10);
    assertFalse(limiter.admits(POOL, BLOCK));
    record(limiter, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void explain_beforeAndAfterTheThreshold_saysWhichAndWhy() {
    BucketTimeRateLimit limiter = limiter("threshold", "3");
    record(limiter, 3);
    assertEquals(3, limiter.accesses(POOL, BLOCK));
    assertEquals("it has to be read more than 3 times within 10 min",
        limiter.explain(POOL, BLOCK));
    record(limiter, 1);
    assertEquals(4, limiter.accesses(POOL, BLOCK));
    assertEquals("it was read more than 3 times within 10 min", limiter.explain(POOL, BLOCK));
  }

  @Test
  public void thresholdZero_admittedAtFirstRead_notBefore() {
    BucketTimeRateLimit limiter = limiter("threshold", "0");
    assertFalse(limiter.admits(POOL, BLOCK));
    record(limiter, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void admits_askedOften_countsNothing() {
    BucketTimeRateLimit limiter = limiter("threshold", "1");
    record(limiter, 1);
    for (int i = 0; i < 100; i++) {
      assertFalse(limiter.admits(POOL, BLOCK));
    }
    assertEquals(1, limiter.count(POOL, BLOCK));
  }

  @Test
  public void accesses_inDifferentMinutes_addUp() {
    BucketTimeRateLimit limiter = limiter("threshold", "9");
    for (int minute = 0; minute < 10; minute++) {
      clock.setMinute(minute);
      assertFalse(limiter.admits(POOL, BLOCK));
      record(limiter, 1);
    }
    assertTrue(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void minuteEdge_lastMillisecondOfWindow_admitted_next_notAdmitted() {
    BucketTimeRateLimit limiter = limiter("threshold", "0", "window", "3m");
    clock.setMillis(TestingClock.MINUTE - 1);
    record(limiter, 1);
    clock.setMillis(3 * TestingClock.MINUTE - 1);
    assertTrue(limiter.admits(POOL, BLOCK));
    clock.setMillis(3 * TestingClock.MINUTE);
    assertFalse(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void windowEdge_oldestBucketDropped_laterAccessesRemain() {
    BucketTimeRateLimit limiter = limiter("threshold", "1", "window", "2m");
    record(limiter, 2);
    clock.setMinute(1);
    record(limiter, 1);
    assertEquals(3, limiter.count(POOL, BLOCK));
    clock.setMinute(2);
    assertFalse(limiter.admits(POOL, BLOCK));
    record(limiter, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void oneBucket_nextMinute_startsFromNothing() {
    BucketTimeRateLimit limiter = limiter("threshold", "1", "window", "1m");
    record(limiter, 5);
    assertTrue(limiter.admits(POOL, BLOCK));
    clock.setMinute(1);
    record(limiter, 1);
    assertFalse(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void negativeTime_countsAcrossZero() {
    BucketTimeRateLimit limiter = limiter("threshold", "1", "window", "2m");
    clock.setMillis(-1);
    record(limiter, 1);
    clock.setMillis(0);
    record(limiter, 1);
    assertTrue(limiter.admits(POOL, BLOCK));
    clock.setMinute(1);
    assertFalse(limiter.admits(POOL, BLOCK));
  }

  @Test
  public void idleGap_everythingOldDropped_memoryToo() {
    BucketTimeRateLimit limiter = limiter("threshold", "0");
    for (int minute = 0; minute < 10; minute++) {
      clock.setMinute(minute);
      record(limiter, 3);
    }
    clock.setMinute(100_000);
    assertFalse(limiter.admits(POOL, BLOCK));
    limiter.record(POOL, BLOCK + 1, 1);
    assertEquals(0, limiter.count(POOL, BLOCK));
    assertEquals(new Segment(Segment.MIN_CAPACITY).heapBytes(), limiter.heapBytes());
  }

  @Test
  public void lateThread_previousMinute_keepsHistoryAndIsCounted() {
    BucketTimeRateLimit limiter = limiter("threshold", "100");
    record(limiter, 5);
    clock.setMinute(1);
    record(limiter, 7);
    clock.setMillis(TestingClock.MINUTE - 1);
    record(limiter, 1);
    clock.setMinute(1);
    assertEquals(13, limiter.count(POOL, BLOCK));
  }

  @Test
  public void lateThread_olderThanTheWindow_resurrectsNothing() {
    BucketTimeRateLimit limiter = limiter("threshold", "100", "window", "2m");
    record(limiter, 5);
    clock.setMinute(50);
    record(limiter, 7);
    clock.setMinute(0);
    record(limiter, 1);
    assertEquals("the late one counts now", 8, limiter.count(POOL, BLOCK));
    clock.setMinute(51);
    assertEquals(8, limiter.count(POOL, BLOCK));
    clock.setMinute(52);
    assertEquals(0, limiter.count(POOL, BLOCK));
  }

  @Test
  public void twoPools_sameBlockIds_neverMix() {
    BucketTimeRateLimit limiter = limiter("threshold", "0");
    for (long id = BLOCK; id < BLOCK + 5000; id++) {
      limiter.record(POOL, id, 1);
    }
    for (long id = BLOCK; id < BLOCK + 5000; id++) {
      assertTrue(limiter.admits(POOL, id));
      assertFalse(limiter.admits(OTHER_POOL, id));
    }
  }

  @Test
  public void poolId_equalStringsOfDifferentIdentity_areOnePool() {
    BucketTimeRateLimit limiter = limiter("threshold", "0");
    limiter.record(new StringBuilder(POOL).toString(), BLOCK, 1);
    assertTrue(limiter.admits(new StringBuilder(POOL).toString(), BLOCK));
  }

  @Test
  public void bucketCap_furtherBlocksNotCounted_readsOfThemAre() {
    BucketTimeRateLimit limiter = limiter("threshold", "0", "max.blocks.per.bucket", "1024");
    for (long id = 0; id < 1034; id++) {
      limiter.record(POOL, id, 1);
    }
    assertEquals(10, limiter.uncountedReads());
    assertFalse(limiter.admits(POOL, 1033));
    limiter.record(POOL, 0, 1);
    assertEquals("a block already counted goes on", 10, limiter.uncountedReads());
    clock.setMinute(1);
    limiter.record(POOL, 1033, 1);
    assertTrue("the next bucket has room again", limiter.admits(POOL, 1033));
  }

  @Test
  public void recordAndAdmits_steadyState_allocateNothing() {
    BucketTimeRateLimit limiter = limiter("threshold", "1000000");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    recordAndAsk(limiter, 1000);
    long before = threads.getCurrentThreadAllocatedBytes();
    recordAndAsk(limiter, 100_000);
    long perOperation = (threads.getCurrentThreadAllocatedBytes() - before) / 100_000;
    assertEquals(0, perOperation);
  }

  private void recordAndAsk(BucketTimeRateLimit limiter, int times) {
    for (int i = 0; i < times; i++) {
      limiter.record(POOL, i % 100, 1);
      limiter.admits(POOL, i % 100);
    }
  }

  private void record(BucketTimeRateLimit limiter, int times) {
    for (int i = 0; i < times; i++) {
      limiter.record(POOL, BLOCK, 65536);
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

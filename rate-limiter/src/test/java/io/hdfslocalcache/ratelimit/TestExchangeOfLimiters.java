/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.After;
import org.junit.Test;

public class TestExchangeOfLimiters {

  private static final String POOL = "BP-1";
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;

  private final AtomicLong now = new AtomicLong(1000 * HOUR);
  private final RateLimiterClock clock = now::get;
  private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

  private CacheRateLimiter bucketTime(int threshold, String window) {
    return RateLimiterFactory.create("bucket-time", RateLimiterConfig.of(Map.of(
        BucketTimeRateLimit.THRESHOLD_KEY, String.valueOf(threshold),
        BucketTimeRateLimit.WINDOW_KEY, window)), clock);
  }

  private static RateLimiterConfig budget(String budget) {
    return RateLimiterConfig.of(Map.of(WriteBudgetRateLimit.BUDGET_KEY, budget));
  }

  private SafeRateLimiter safe(CacheRateLimiter first) {
    return new SafeRateLimiter(first, clock, errors::add);
  }

  @After
  public void noLimiterFailed() {
    assertEquals(List.of(), List.copyOf(errors));
  }

  private SafeRateLimiter ofBudget(String budget) {
    SafeRateLimiter limiter = safe(RateLimiterFactory.create(budget(budget), clock));
    limiter.capacity(1, 1000);
    return limiter;
  }

  private static void read(CacheRateLimiter limiter, long block, int times) {
    for (int i = 0; i < times; i++) {
      limiter.record(POOL, block, 1);
    }
  }

  @Test
  public void exchange_otherThresholdAndWindow_readsOfBeforeCount() {
    SafeRateLimiter limiter = safe(bucketTime(2, "10m"));
    read(limiter, 1, 2);
    assertFalse(limiter.admits(POOL, 1));
    assertTrue(limiter.exchange(bucketTime(3, "20m")));
    assertTrue("and again, before any read", limiter.exchange(bucketTime(3, "30m")));
    read(limiter, 1, 1);
    assertEquals(3, limiter.accesses(POOL, 1));
    assertFalse(limiter.admits(POOL, 1));
    read(limiter, 1, 1);
    assertTrue(limiter.admits(POOL, 1));
    read(limiter, 2, 1);
    assertEquals("nobody read it before", 1, limiter.accesses(POOL, 2));
  }

  /** A heat below a half is rounded up. */
  @Test
  public void exchange_toABudget_readsOfBeforeCountOnce() {
    SafeRateLimiter limiter = safe(bucketTime(2, "24h"));
    read(limiter, 1, 1);
    limiter.exchange(RateLimiterFactory.create(budget("1000"), clock));
    limiter.capacity(1, 1000);
    for (int i = 0; i < 4; i++) {
      limiter.explain(POOL, 1);
      assertFalse(limiter.explain(POOL, 1), limiter.admits(POOL, 1));
      now.addAndGet(45 * MINUTE);
    }
    assertEquals(1, limiter.accesses(POOL, 1));
    read(limiter, 1, 1);
    assertFalse("its second read in three hours", limiter.admits(POOL, 1));
  }

  @Test
  public void exchange_readsTooOldForTheEarlierWindow_doNotComeBack() {
    SafeRateLimiter limiter = safe(bucketTime(2, "10m"));
    read(limiter, 1, 3);
    limiter.exchange(bucketTime(2, "60m"));
    now.addAndGet(11 * MINUTE);
    read(limiter, 1, 1);
    assertEquals(1, limiter.accesses(POOL, 1));
  }

  @Test
  public void exchange_shorterWindow_readsOfBeforeCountOnce() {
    SafeRateLimiter limiter = safe(bucketTime(2, "60m"));
    read(limiter, 1, 3);
    limiter.exchange(bucketTime(2, "10m"));
    assertTrue(limiter.admits(POOL, 1));
    now.addAndGet(11 * MINUTE);
    assertFalse(limiter.admits(POOL, 1));
    assertEquals(0, limiter.accesses(POOL, 1));
  }

  @Test
  public void exchange_limiterThatTellsNoReads_saysThatTheyAreLost() {
    SafeRateLimiter limiter = safe(bucketTime(2, "10m"));
    assertFalse(limiter.exchange(RateLimiterFactory.create("second-touch",
        RateLimiterConfig.of(Map.of()), clock)));
  }

  @Test
  public void exchange_budgetAndBack_accountGoesOn() {
    SafeRateLimiter limiter = ofBudget("240");
    limiter.restore(new MemoryStateFile());
    assertTrue(limiter.mayWrite(0));
    limiter.written(400);
    limiter.exchange(RateLimiterFactory.create(budget("0"), clock));
    assertNull(limiter.metrics().get("BudgetBalanceBytes"));
    limiter.exchange(RateLimiterFactory.create(budget("240"), clock));
    assertEquals(600, limiter.metrics().get("BudgetBalanceBytes").longValue());
  }

  @Test
  public void reconfigure_otherBudget_keepsHeatAndBalance() {
    CacheRateLimiter limiter = ofBudget("240");
    read(limiter, 1, 5);
    limiter.written(400);
    assertTrue(limiter.reconfigure(budget("2400")));
    assertEquals(5, limiter.accesses(POOL, 1));
    assertEquals(600, limiter.metrics().get("BudgetBalanceBytes").longValue());
    assertEquals(2400, limiter.metrics().get("BudgetBytesPerDay").longValue());
    now.addAndGet(HOUR);
    assertEquals(700, limiter.metrics().get("BudgetBalanceBytes").longValue());
    assertFalse("it takes another limiter", limiter.reconfigure(budget("0")));
    assertThrows(IllegalArgumentException.class, () -> limiter.reconfigure(budget("much")));
  }

  /** Readers that never stop, and a hundred changes: no reader fails, waits, or loses its block. */
  @Test(timeout = 120_000)
  public void exchange_whileReadsGoOn_hotBlocksStayAdmitted() throws Exception {
    SafeRateLimiter limiter = safe(bucketTime(2, "10m"));
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicLongArray reads = new AtomicLongArray(4);
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < reads.length(); i++) {
      int own = i;
      read(limiter, own, 20);
      readers.add(new Thread(() -> {
        try {
          while (!stop.get()) {
            limiter.record(POOL, own, 1);
            limiter.record(POOL, 99, 1);
            if (!limiter.admits(POOL, own)) {
              throw new AssertionError("block " + own + " is no longer admitted");
            }
            reads.incrementAndGet(own);
          }
        } catch (Throwable t) {
          failure.set(t);
        }
      }));
    }
    readers.forEach(Thread::start);
    for (int i = 0; i < 100 && failure.get() == null; i++) {
      // Keeps the threshold: of a hot block, only as many reads as exceed it are known.
      limiter.exchange(bucketTime(2, i % 2 == 0 ? "20m" : "10m"));
      for (int reader = 0; reader < reads.length(); reader++) {
        long before = reads.get(reader);
        while (reads.get(reader) <= before + 10 && failure.get() == null) {
          Thread.onSpinWait();
        }
      }
    }
    stop.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertNull(String.valueOf(failure.get()), failure.get());
  }
}

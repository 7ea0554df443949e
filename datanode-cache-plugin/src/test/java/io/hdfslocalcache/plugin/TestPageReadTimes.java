/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.health.SsdTimeoutException;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadTimes;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** How long readers wait for an SSD is counted whatever it does to them. */
public class TestPageReadTimes {

  private static final long THRESHOLD = TimeUnit.MILLISECONDS.toNanos(50);

  private LocalCacheMetrics metrics;
  private LocalCacheCluster cluster;
  private CachedBlock block;

  @Before
  public void start() throws Exception {
    metrics = new LocalCacheMetrics();
    cluster = LocalCacheCluster.builder().set(LocalCacheKeys.IO_DEADLINE, "10s").start();
    cluster.write("/file", 1);
    cluster.readUntilCached("/file");
    block = cluster.cached(0, "/file");
  }

  @After
  public void stop() {
    cluster.close();
  }

  private CachedPages pages(long thresholdNanos) {
    LocalCache cache = cluster.cache(0);
    return new CachedPages(cluster.interceptor(0).onOff(), cache.directories(),
        cache.invalidations(), metrics, new ReadTimes(metrics, thresholdNanos));
  }

  private static SsdIo.Io<Void> longerThan(long nanos) {
    return () -> {
      long begin = System.nanoTime();
      while (System.nanoTime() - begin <= nanos) {
        Thread.onSpinWait();
      }
      return null;
    };
  }

  @Test
  public void await_longerThanTheThreshold_isSlow() throws IOException {
    pages(THRESHOLD).await(block, Operation.PAGE_READ, longerThan(THRESHOLD));
    assertEquals(1, metrics.total(Event.SLOW_READS_SSD));
    assertTrue(metrics.total(Event.READ_NANOS_SSD) > THRESHOLD);
    assertEquals(0, metrics.total(Event.SLOW_READS_HDD));
    assertEquals(0, metrics.total(Event.READ_NANOS_HDD));
  }

  @Test
  public void await_withinTheThreshold_isTimedAndNotSlow() throws IOException {
    pages(TimeUnit.HOURS.toNanos(1)).await(block, Operation.PAGE_READ, longerThan(THRESHOLD));
    assertEquals(0, metrics.total(Event.SLOW_READS_SSD));
    assertTrue(metrics.total(Event.READ_NANOS_SSD) > THRESHOLD);
  }

  @Test
  public void await_opening_isNotTimed() throws IOException {
    pages(0).await(block, Operation.PAGE_OPEN, longerThan(THRESHOLD));
    assertEquals(0, metrics.total(Event.SLOW_READS_SSD));
    assertEquals(0, metrics.total(Event.READ_NANOS_SSD));
  }

  @Test
  public void await_noAnswer_isSlow() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    try {
      pages(THRESHOLD).await(block, Operation.PAGE_READ, () -> {
        try {
          answer.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        return null;
      });
      throw new AssertionError("there was no answer");
    } catch (SsdTimeoutException expected) {
      assertEquals(1, metrics.total(Event.SLOW_READS_SSD));
    } finally {
      answer.countDown();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.fetch.CachedPages;
import io.hdfslocalcache.plugin.fetch.PageFetches;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadTimes;
import io.hdfslocalcache.plugin.read.Budgets;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** How long readers wait for an SSD is counted whatever it does to them. */
public class TestPageReadTimes {

  private static final long THRESHOLD = TimeUnit.MILLISECONDS.toNanos(50);

  private final BufferPool buffers = new BufferPool(1 << 20);
  private final CountDownLatch answer = new CountDownLatch(1);
  private LocalCacheMetrics metrics;
  private LocalCacheCluster cluster;
  private CachedBlock block;

  @Before
  public void start() throws Exception {
    metrics = new LocalCacheMetrics();
    cluster = LocalCacheCluster.builder().set(LocalCacheKeys.IO_DEADLINE, "5s")
        .set(TestingConfig.IO_THREADS, 1).start();
    cluster.write("/file", 1);
    cluster.readUntilCached("/file");
    block = cluster.cached(0, "/file");
  }

  @After
  public void stop() {
    answer.countDown();
    cluster.close();
  }

  private CachedPages pages(long thresholdNanos) {
    return pages(thresholdNanos, buffers);
  }

  private CachedPages pages(long thresholdNanos, BufferPool from) {
    LocalCache cache = cluster.cache(0);
    return new CachedPages(new CachedPages.Context(cluster.interceptor(0).onOff()::isOn,
        cache.directories(), cache.memory(), new PageFetches(from, cache.memory()),
        cache.invalidations(), metrics, new ReadTimes(metrics, thresholdNanos)));
  }

  private PageBytes get(CachedPages pages) {
    return pages.get(block, 0, 0, 1, 1, Budgets.of(5, TimeUnit.SECONDS));
  }

  private void assertGot(PageBytes bytes) {
    assertNotNull(bytes);
    bytes.close();
    assertEquals(0, buffers.inUseBytes());
  }

  /** The only thread of the SSD has something else to do until this one has waited so long. */
  private void keepWaiting(long nanos) {
    Thread reader = Thread.currentThread();
    cluster.cache(0).directories().all().get(0).io().begin(Operation.PAGE_READ, () -> {
      while (reader.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      long begin = System.nanoTime();
      while (System.nanoTime() - begin <= nanos) {
        Thread.onSpinWait();
      }
      return null;
    });
  }

  @Test
  public void get_longerThanTheThreshold_isSlow() {
    keepWaiting(THRESHOLD);
    assertGot(get(pages(THRESHOLD)));
    assertEquals(1, metrics.total(Event.SLOW_READS_SSD));
    assertTrue(metrics.total(Event.READ_NANOS_SSD) > THRESHOLD);
    assertEquals(0, metrics.total(Event.SLOW_READS_HDD));
    assertEquals(0, metrics.total(Event.READ_NANOS_HDD));
  }

  @Test
  public void get_withinTheThreshold_isTimedAndNotSlow() {
    keepWaiting(THRESHOLD);
    assertGot(get(pages(TimeUnit.HOURS.toNanos(1))));
    assertEquals(0, metrics.total(Event.SLOW_READS_SSD));
    assertTrue(metrics.total(Event.READ_NANOS_SSD) > THRESHOLD);
  }

  @Test
  public void get_noAnswer_isSlow() {
    cluster.cache(0).directories().all().get(0).io().begin(Operation.PAGE_READ, () -> {
      try {
        return answer.await(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    });
    assertNull(get(pages(THRESHOLD)));
    assertEquals(1, metrics.errors(Operation.PAGE_READ, ErrorCause.TIMEOUT));
    assertEquals(1, metrics.total(Event.SLOW_READS_SSD));
    assertEquals("nothing was read", 0, buffers.inUseBytes());
  }

  @Test
  public void get_allBuffersInUse_isCountedAndNoError() {
    assertNull(get(pages(THRESHOLD, new BufferPool(0))));
    assertEquals(1, metrics.total(Event.READS_WITHOUT_BUFFER));
    assertEquals(0, metrics.errors());
    assertEquals("the page stays", 1, block.parts(0));
  }
}

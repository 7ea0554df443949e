/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.Closeable;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * Background fills: requested by operators, or of bytes that readers got from the OS page cache.
 * One at a time for each data volume, because clients come first. Requests that do not fit into the
 * queue are dropped: a page that stays hot is requested again.
 */
public final class Fills implements Closeable {

  private static final int CLOSE_SECONDS = 10;
  /** Length of a volume's queue in pages, for each SSD. */
  private static final int MOST_QUEUED_PAGES = 2048;

  private final int pageSize;
  private final int maxQueuedPages;
  private final Consumer<FillRequest> filler;
  private final LocalCacheMetrics metrics;
  private final ThreadPoolExecutor threads;
  private final Set<FillRequest> queued = ConcurrentHashMap.newKeySet();
  private final AtomicInteger queuedPages = new AtomicInteger();
  /** Set before the queues are emptied, and checked under a volume's lock. */
  private volatile boolean closed;

  /** @param filler runs a fill; must not throw */
  public Fills(LocalCacheConfig config, Consumer<FillRequest> filler, LocalCacheMetrics metrics) {
    this(config.pageSize(), MOST_QUEUED_PAGES * ssds(config),
        TimeAndThreads.get().newPool("local-cache-fill-", config.fillThreads() * ssds(config)),
        filler, metrics);
  }

  private static int ssds(LocalCacheConfig config) {
    return Math.max(1, config.directories().size());
  }

  /**
   * The same.
   *
   * @param pageSize bytes of block data in a page
   * @param maxQueuedPages length of a volume's queue, in pages
   * @param threads closed with this
   */
  Fills(int pageSize, int maxQueuedPages, ThreadPoolExecutor threads,
      Consumer<FillRequest> filler, LocalCacheMetrics metrics) {
    this.pageSize = pageSize;
    this.maxQueuedPages = maxQueuedPages;
    this.filler = filler;
    this.metrics = metrics;
    this.threads = threads;
  }

  /**
   * Requests a fill. Returns at once. Each volume has a queue of its own, so that one that hangs does
   * not hold the places of others; half of it is reserved for operators.
   *
   * @return false if the volume's queue is full or closed
   */
  public boolean submit(FillRequest request) {
    int most = request.isOrder() ? maxQueuedPages : maxQueuedPages / 2;
    int pages = request.pages(pageSize);
    if (closed) {
      return false;
    }
    if (pages == 0 || !queued.add(request)) {
      return true;
    }
    boolean isWaiting = false;
    queuedPages.addAndGet(pages);
    try {
      isWaiting = request.volume().add(request, pages, most, this);
      return isWaiting;
    } finally {
      if (!isWaiting) {
        forget(request);
      }
    }
  }

  /** Requests the fill of a miss. If it does not fit into the queue, a later read misses again. */
  public void missed(FillRequest request) {
    if (!submit(request)) {
      metrics.count(Event.FILLS_DROPPED_QUEUE_FULL);
    }
  }

  /** @return pages that wait for a thread. */
  public int queuedPages() {
    return queuedPages.get();
  }

  /** @return whether nothing waits and nothing runs. */
  public boolean isIdle() {
    return queuedPages.get() == 0 && threads.getActiveCount() == 0;
  }

  boolean isClosed() {
    return closed;
  }

  /** Runs what fills a volume. */
  void execute(Runnable drain) {
    threads.execute(drain);
  }

  /** A request does not wait any more, if it did. @return its pages */
  int forget(FillRequest request) {
    int pages = request.pages(pageSize);
    if (queued.remove(request)) {
      queuedPages.addAndGet(-pages);
    }
    return pages;
  }

  void fill(FillRequest request) {
    try {
      filler.accept(request);
    } catch (RuntimeException | Error e) {
      // Already counted, unless there was no memory for that. The volume's next fill runs.
    }
  }

  /** Stops the running fills, waits for them for a while, and drops the waiting ones. */
  @Override
  public void close() {
    closed = true;
    threads.shutdownNow();
    queued.forEach(request -> request.volume().forgetAll(this));
    try {
      TimeAndThreads.get().awaitTermination(threads, TimeUnit.SECONDS.toNanos(CLOSE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

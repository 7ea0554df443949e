/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.invalidation;

import java.io.Closeable;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import org.apache.hadoop.util.Daemon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes pages from one SSD, in a thread of its own: an SSD that hangs holds up no other. */
final class PageRemover implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(PageRemover.class);
  private static final int CLOSE_SECONDS = 10;

  private record Killed(CachedBlock block, String why, long nanos) {
  }

  private final SsdDirectory directory;
  private final LocalCacheMetrics metrics;
  private final LongSupplier nanoClock;
  private final Queue<Killed> waiting = new ConcurrentLinkedQueue<>();
  /** What waits or is being done. */
  private final AtomicInteger tasks = new AtomicInteger();
  private final AtomicLong lastLagMillis = new AtomicLong();
  private final ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
      new LinkedBlockingQueue<>(), task -> {
        Daemon daemon = new Daemon(task);
        daemon.setName("local-cache-invalidation");
        return daemon;
      });

  PageRemover(SsdDirectory directory, LocalCacheMetrics metrics, LongSupplier nanoClock) {
    this.directory = directory;
    this.metrics = metrics;
    this.nanoClock = nanoClock;
    // Now: when pages have to be removed, there may be no more threads to be had.
    thread.prestartCoreThread();
  }

  /** Removes all pages of a killed block, soon. Returns at once. */
  void remove(CachedBlock block, String why) {
    metrics.count(Event.INVALIDATED_BLOCKS);
    waiting.add(new Killed(block, why, nanoClock.getAsLong()));
    execute(this::removeAll);
  }

  /** Removes one page that turned out to be damaged, soon. Returns at once. */
  void removePage(CachedBlock block, int page) {
    execute(() -> directory.pages().removePage(block.fileId(), page));
  }

  private void execute(Runnable task) {
    tasks.incrementAndGet();
    try {
      thread.execute(() -> {
        try {
          task.run();
        } catch (RuntimeException | Error e) {
          metrics.error(Operation.PAGE_DELETE, e);
        } finally {
          tasks.decrementAndGet();
        }
      });
    } catch (RejectedExecutionException e) {
      tasks.decrementAndGet();
      // Closed: what is left is cleared at the next start.
      waiting.clear();
    } catch (OutOfMemoryError e) {
      metrics.error(Operation.PAGE_DELETE, e);
    }
  }

  /** All that wait: a task for some of them may have found no memory. */
  private void removeAll() {
    Killed next = waiting.peek();
    while (next != null && !Thread.currentThread().isInterrupted()) {
      remove(next);
      next = waiting.peek();
    }
  }

  private void remove(Killed killed) {
    try {
      int pages = removePages(killed.block());
      metrics.add(Event.INVALIDATED_PAGES, pages);
      lastLagMillis.set(millisSince(killed.nanos()));
      LOG.info("Removed {} pages of {} from the local cache: {}; {} ms after",
          pages, killed.block().snapshot(), killed.why(), lastLagMillis);
    } finally {
      // Whether it was removed or not: one that stayed would be done again for ever.
      waiting.poll();
    }
  }

  private int removePages(CachedBlock block) {
    // Whoever is publishing a page of the block has the monitor; later ones see that it is dead.
    synchronized (block) {
      return directory.pages().removeBlock(block.fileId());
    }
  }

  /** @return milliseconds between the last change of a cached replica and the end of its pages. */
  long lastLagMillis() {
    return lastLagMillis.get();
  }

  /** @return whether nothing waits and nothing is being removed. */
  boolean isIdle() {
    return tasks.get() == 0;
  }

  /** @return milliseconds for which the oldest change waits now; 0 if none does. */
  long waitingMillis() {
    Killed oldest = waiting.peek();
    return oldest == null ? 0 : millisSince(oldest.nanos());
  }

  private long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - nanos);
  }

  /**
   * Removes what waits, for a while that is short if the SSD does not answer. What is left then is
   * cleared at the next start.
   */
  @Override
  public void close() {
    int seconds = directory.io().health().mayRead() ? CLOSE_SECONDS : 1;
    thread.shutdown();
    try {
      if (!thread.awaitTermination(seconds, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.invalidation;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.time.TimeAndThreads;

/** Removes pages from one place, one after the other. A place that hangs holds up no other. */
final class RemovalThread {

  private final LocalCacheMetrics metrics;
  /** What waits or is being done. */
  private final AtomicInteger tasks = new AtomicInteger();
  private final ThreadPoolExecutor thread;

  RemovalThread(String name, LocalCacheMetrics metrics) {
    this.metrics = metrics;
    this.thread = TimeAndThreads.get().newPool(name + '-', 1);
    thread.allowCoreThreadTimeOut(false);
    // Now: when pages have to be removed, there may be no more threads to be had.
    thread.prestartCoreThread();
  }

  /**
   * Has something removed, soon. Returns at once.
   *
   * @return false if the thread is closed: what is left is cleared at the next start
   */
  boolean execute(Runnable task) {
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
      return false;
    } catch (OutOfMemoryError e) {
      tasks.decrementAndGet();
      metrics.error(Operation.PAGE_DELETE, e);
    }
    return true;
  }

  /** @return whether nothing waits and nothing is being removed. */
  boolean isIdle() {
    return tasks.get() == 0;
  }

  /** Removes what waits, for a while. */
  void close(int seconds) {
    thread.shutdown();
    try {
      if (!TimeAndThreads.get().awaitTermination(thread, TimeUnit.SECONDS.toNanos(seconds))) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}

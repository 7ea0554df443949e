/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import java.io.Closeable;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.hdfslocalcache.time.TimeAndThreads;

/**
 * Removes the pages of killed blocks from one SSD or from memory, block by block, in its own
 * thread: freeing the pages of a block takes tens of milliseconds, and a hanging SSD must not delay
 * others.
 */
public final class Removals implements Closeable {

  private static final int CLOSE_SECONDS = 10;

  /** A place of pages: an SSD or memory. */
  public interface Place {

    /** Removes all pages of a killed block. @return their number */
    int removePages(CachedBlock block);

    /** All pages of a block were removed. @param millis since it was killed */
    default void removed(CachedBlock block, int pages, String why, long millis) {
    }

    /** A removal failed. */
    void failed(Throwable why);

    /** @return whether it answers, so that waiting for it makes sense. */
    default boolean isThere() {
      return true;
    }
  }

  private record Killed(CachedBlock block, String why, long nanos) {
  }

  private final Place place;
  private final LongSupplier nanoClock;
  private final Queue<Killed> waiting = new ConcurrentLinkedQueue<>();
  /** Waiting and running tasks. */
  private final AtomicInteger tasks = new AtomicInteger();
  private final AtomicLong lastLagMillis = new AtomicLong();
  private final ThreadPoolExecutor thread;

  /**
   * @param name name of the thread
   * @param nanoClock a clock that only goes forward, in nanoseconds
   */
  public Removals(String name, Place place, LongSupplier nanoClock) {
    this.place = place;
    this.nanoClock = nanoClock;
    this.thread = TimeAndThreads.get().newPool(name + '-', 1);
    thread.allowCoreThreadTimeOut(false);
    // Now, because later there may be no threads left.
    thread.prestartCoreThread();
  }

  /** Removes all pages of a killed block, soon. Returns at once. */
  public void remove(CachedBlock block, String why) {
    waiting.add(new Killed(block, why, nanoClock.getAsLong()));
    if (!execute(this::removeAll)) {
      waiting.clear();
    }
  }

  /**
   * Schedules another removal. Returns at once.
   *
   * @return false if this is closed; leftovers are deleted at the next start
   */
  public boolean execute(Runnable task) {
    tasks.incrementAndGet();
    try {
      thread.execute(() -> {
        try {
          task.run();
        } catch (RuntimeException | Error e) {
          place.failed(e);
        } finally {
          tasks.decrementAndGet();
        }
      });
    } catch (RejectedExecutionException e) {
      tasks.decrementAndGet();
      return false;
    } catch (OutOfMemoryError e) {
      tasks.decrementAndGet();
      place.failed(e);
    }
    return true;
  }

  /** Removes all waiting blocks: a task for one of them may have failed for lack of memory. */
  private void removeAll() {
    Killed next = waiting.peek();
    while (next != null && !Thread.currentThread().isInterrupted()) {
      remove(next);
      next = waiting.peek();
    }
  }

  private void remove(Killed killed) {
    try {
      int pages = place.removePages(killed.block());
      lastLagMillis.set(millisSince(killed.nanos()));
      place.removed(killed.block(), pages, killed.why(), lastLagMillis.get());
    } finally {
      // Even after a failure: otherwise it would be retried for ever.
      waiting.poll();
    }
  }

  /** @return milliseconds from the last change of a cached replica to the removal of its pages. */
  public long lastLagMillis() {
    return lastLagMillis.get();
  }

  /** @return whether nothing waits and nothing is being removed. */
  public boolean isIdle() {
    return tasks.get() == 0 && waiting.isEmpty();
  }

  /** @return milliseconds for which the oldest change waits now; 0 if none. */
  public long waitingMillis() {
    Killed oldest = waiting.peek();
    return oldest == null ? 0 : millisSince(oldest.nanos());
  }

  private long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - nanos);
  }

  /**
   * Removes waiting blocks for a while, which is short if the place does not answer. Leftovers are
   * deleted at the next start.
   */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!TimeAndThreads.get().awaitTermination(
          thread, TimeUnit.SECONDS.toNanos(place.isThere() ? CLOSE_SECONDS : 1))) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}

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
 * Removes the pages of killed blocks from one place, one block after the other, in a thread of its own:
 * freeing the pages of a block takes tens of milliseconds, and a place that hangs holds up no other.
 */
public final class Removals implements Closeable {

  private static final int CLOSE_SECONDS = 10;

  /** Where pages are. */
  public interface Place {

    /** Removes all pages of a killed block. @return how many these were */
    int removePages(CachedBlock block);

    /** All its pages are removed. @param millis since it was killed */
    default void removed(CachedBlock block, int pages, String why, long millis) {
    }

    /** Something was not removed. */
    void failed(Throwable why);

    /** @return whether it answers, and so is worth being waited for. */
    default boolean isThere() {
      return true;
    }
  }

  private record Killed(CachedBlock block, String why, long nanos) {
  }

  private final Place place;
  private final LongSupplier nanoClock;
  private final Queue<Killed> waiting = new ConcurrentLinkedQueue<>();
  /** What waits for the thread or is being done. */
  private final AtomicInteger tasks = new AtomicInteger();
  private final AtomicLong lastLagMillis = new AtomicLong();
  private final ThreadPoolExecutor thread;

  /**
   * @param name of the thread
   * @param nanoClock a clock that only goes forward, in nanoseconds
   */
  public Removals(String name, Place place, LongSupplier nanoClock) {
    this.place = place;
    this.nanoClock = nanoClock;
    this.thread = TimeAndThreads.get().newPool(name + '-', 1);
    thread.allowCoreThreadTimeOut(false);
    // Now: when pages have to be removed, there may be no more threads to be had.
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
   * Has something else removed, soon. Returns at once.
   *
   * @return false if this is closed: what is left is cleared at the next start
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
      int pages = place.removePages(killed.block());
      lastLagMillis.set(millisSince(killed.nanos()));
      place.removed(killed.block(), pages, killed.why(), lastLagMillis.get());
    } finally {
      // Whether it was removed or not: one that stayed would be done again for ever.
      waiting.poll();
    }
  }

  /** @return milliseconds between the last change of a cached replica and the end of its pages. */
  public long lastLagMillis() {
    return lastLagMillis.get();
  }

  /** @return whether nothing waits and nothing is being removed. */
  public boolean isIdle() {
    return tasks.get() == 0 && waiting.isEmpty();
  }

  /** @return milliseconds for which the oldest change waits now; 0 if none does. */
  public long waitingMillis() {
    Killed oldest = waiting.peek();
    return oldest == null ? 0 : millisSince(oldest.nanos());
  }

  private long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - nanos);
  }

  /**
   * Removes what waits, for a while that is short if the place does not answer. What is left then is
   * cleared at the next start.
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

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.invalidation;

import java.io.Closeable;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes pages from one SSD, in a thread of its own: an SSD that hangs holds up no other. */
final class PageRemover implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(PageRemover.class);
  static final int CLOSE_SECONDS = 10;

  private record Killed(CachedBlock block, String why, long nanos) {
  }

  private final SsdDirectory directory;
  private final LocalCacheMetrics metrics;
  private final LongSupplier nanoClock;
  private final Queue<Killed> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong lastLagMillis = new AtomicLong();
  private final RemovalThread thread;

  PageRemover(SsdDirectory directory, LocalCacheMetrics metrics, LongSupplier nanoClock) {
    this.directory = directory;
    this.metrics = metrics;
    this.nanoClock = nanoClock;
    this.thread = new RemovalThread("local-cache-invalidation", metrics);
  }

  /** Removes all pages of a killed block, soon. Returns at once. */
  void remove(CachedBlock block, String why) {
    waiting.add(new Killed(block, why, nanoClock.getAsLong()));
    if (!thread.execute(this::removeAll)) {
      waiting.clear();
    }
  }

  /** Removes one page that turned out to be damaged, soon. Returns at once. */
  void removePage(CachedBlock block, int page) {
    thread.execute(() -> directory.pages().removePage(block, page));
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
      LOG.info("Local cache: removed {} pages of {}: {}; {} ms after the change",
          pages, killed.block().snapshot(), killed.why(), lastLagMillis);
    } finally {
      // Whether it was removed or not: one that stayed would be done again for ever.
      waiting.poll();
    }
  }

  private int removePages(CachedBlock block) {
    // Whoever is publishing a page of the block has the lock; later ones see that it is dead.
    block.adding().lock();
    try {
      return directory.pages().removeBlock(block);
    } finally {
      block.adding().unlock();
    }
  }

  /** @return milliseconds between the last change of a cached replica and the end of its pages. */
  long lastLagMillis() {
    return lastLagMillis.get();
  }

  /** @return whether nothing waits and nothing is being removed. */
  boolean isIdle() {
    return thread.isIdle() && waiting.isEmpty();
  }

  /**
   * @return milliseconds for which the oldest change waits now, or files are there that could not be
   *     deleted; 0 if there is neither
   */
  long waitingMillis() {
    Killed oldest = waiting.peek();
    return Math.max(directory.undeletedMillis(),
        oldest == null ? 0 : millisSince(oldest.nanos()));
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
    thread.close(directory.io().health().mayRead() ? CLOSE_SECONDS : 1);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.invalidation;

import java.io.Closeable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * Removes the pages of killed blocks from memory and from the SSDs. A block's pages cannot be reached
 * from the moment it was killed; their bytes go soon after, in a thread for the memory and one for
 * each SSD: freeing the pages of a block takes tens of milliseconds, and the DataNode holds a lock of
 * its dataset when it tells. What is in memory does not wait for an SSD that hangs.
 */
public final class Invalidator implements Closeable {

  private final SsdDirectories directories;
  private final MemoryTier memory;
  private final RemovalThread memoryThread;
  private final LocalCacheMetrics metrics;
  private final LongSupplier nanoClock;
  private final Map<SsdDirectory, PageRemover> removers = new ConcurrentHashMap<>();

  /**
   * @param directories where the pages are
   * @param memory where some of them are, too
   * @param nanoClock a clock that only goes forward, in nanoseconds
   */
  public Invalidator(SsdDirectories directories, MemoryTier memory, LocalCacheMetrics metrics,
      LongSupplier nanoClock) {
    this.directories = directories;
    this.memory = memory;
    this.memoryThread = new RemovalThread("local-cache-memory-invalidation", metrics);
    this.metrics = metrics;
    this.nanoClock = nanoClock;
    directories.all().forEach(this::of);
  }

  /** Removes all pages of a killed block, soon. Returns at once. */
  public void remove(CachedBlock block, String why) {
    memoryThread.execute(() -> memory.remove(block));
    SsdDirectory ssd = directories.of(block);
    if (ssd != null) {
      metrics.count(Event.INVALIDATED_BLOCKS);
      of(ssd).remove(block, why);
    }
  }

  /** Removes one page that turned out to be damaged, soon. Returns at once. */
  public void removePage(CachedBlock block, int page) {
    SsdDirectory ssd = directories.of(block);
    if (ssd != null) {
      of(ssd).removePage(block, page);
    }
  }

  /** An SSD is not used any more. Removes what waits, for a while; the rest of the files stays. */
  public void forget(SsdDirectory ssd) {
    PageRemover remover = removers.remove(ssd);
    if (remover != null) {
      remover.close();
    }
  }

  /** An SSD may have been taken in since the start. */
  private PageRemover of(SsdDirectory directory) {
    return removers.computeIfAbsent(
        directory, ssd -> new PageRemover(ssd, metrics, nanoClock));
  }

  /** @return milliseconds between the last change of a cached replica and the end of its pages. */
  public long lastLagMillis() {
    return max(PageRemover::lastLagMillis);
  }

  /** @return whether nothing waits and nothing is being removed. */
  public boolean isIdle() {
    return memoryThread.isIdle()
        && removers.values().stream().allMatch(PageRemover::isIdle);
  }

  /**
   * @return milliseconds for which the oldest change waits now, or files are there that could not be
   *     deleted; 0 if there is neither
   */
  public long waitingMillis() {
    return max(PageRemover::waitingMillis);
  }

  private long max(ToLongFunction<PageRemover> millis) {
    return removers.values().stream().mapToLong(millis).max().orElse(0);
  }

  /** Removes what waits, for a while; what is left then is cleared at the next start. */
  @Override
  public void close() {
    memoryThread.close(PageRemover.CLOSE_SECONDS);
    // All at once: each may wait for its SSD.
    TimeAndThreads.get().forEachAtOnce(removers.values(), PageRemover::close);
  }
}

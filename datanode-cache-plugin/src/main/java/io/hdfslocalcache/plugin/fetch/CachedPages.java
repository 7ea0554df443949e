/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fetch;

import java.io.IOException;
import java.util.function.BooleanSupplier;

import io.hdfslocalcache.plugin.health.SsdUnavailableException;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.invalidation.Invalidator;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadTimes;
import io.hdfslocalcache.plugin.read.PageSource;
import io.hdfslocalcache.plugin.read.WaitBudget;
import io.hdfslocalcache.plugin.ssd.PageNotReadException;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * Pages as readers get them: from memory, or else from their SSD, while switched on and the SSD is
 * well, and without exceptions.
 */
public final class CachedPages implements PageSource {

  /** What it works with. */
  public record Context(BooleanSupplier isOn, SsdDirectories directories, MemoryTier memory,
      PageFetches fetches, Invalidator invalidator, LocalCacheMetrics metrics, ReadTimes times) {
  }

  private final Context context;

  public CachedPages(Context context) {
    this.context = context;
  }

  @Override
  public boolean isOn(CachedBlock block) {
    return context.isOn().getAsBoolean() && context.directories().mayRead(block.snapshot().key());
  }

  @Override
  public PageBytes get(CachedBlock block, int page, int from, int to, int wanted,
      WaitBudget budget) {
    SsdDirectory ssd = context.directories().of(block);
    if (ssd == null) {
      return null;
    }
    try {
      PageBytes inMemory = context.memory().find(block, page);
      if (inMemory != null) {
        if (inMemory.covers(from, to)) {
          ssd.pages().used(block, page);
          return inMemory;
        }
        // Parts have come since it was moved there.
        inMemory.close();
      }
      return fetch(ssd, block, page, from, to, wanted, budget);
    } catch (IOException e) {
      failed(ssd, block, page, e);
    } catch (RuntimeException | Error e) {
      context.metrics().error(Operation.PAGE_READ, e);
    }
    return null;
  }

  private PageBytes fetch(SsdDirectory ssd, CachedBlock block, int page, int from, int to,
      int wanted, WaitBudget budget) throws IOException {
    long begin = TimeAndThreads.get().nanoTime();
    try {
      return context.fetches().get(ssd, block, page, from, to, wanted, budget);
    } finally {
      context.times().ssd(TimeAndThreads.get().nanoTime() - begin);
      if (budget.isOverdrawn()) {
        ssd.io().overdrawn(budget.volumeNanos());
      }
    }
  }

  /** A page could not be read: counts why, and removes it if that is the SSD's fault. */
  public void failed(SsdDirectory ssd, CachedBlock block, int page, IOException error) {
    if (error instanceof SsdUnavailableException || error instanceof PageNotReadException) {
      if (error instanceof PageNotReadException.NoBuffer) {
        context.metrics().count(Event.READS_WITHOUT_BUFFER);
      }
      return;
    }
    context.metrics().error(Operation.PAGE_READ, error);
    ssd.io().health().failed(Operation.PAGE_READ, error);
    ErrorCause cause = ErrorCause.of(error);
    if (!cause.isOfDisk()) {
      // The page is as good as before.
      return;
    }
    if (cause == ErrorCause.DAMAGED) {
      context.metrics().count(Event.DAMAGED_PAGES);
    }
    block.forget(page);
    context.invalidator().removePage(block, page);
  }

  @Override
  public void lost(CachedBlock block, int page, Exception error) {
    context.metrics().error(Operation.MEMORY_READ, error);
    context.memory().remove(block.fileId(), page);
  }
}

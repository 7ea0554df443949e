/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;
import java.util.function.BooleanSupplier;

import io.hdfslocalcache.plugin.health.SsdTimeoutException;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.index.CachedPage;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.PageNotReadException;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.io.IOUtils;

/**
 * Pages for readers: from memory, or else from their SSD, while switched on and the SSD works;
 * never throws.
 */
public class CachedPages {

  private final BooleanSupplier isOn;
  private final MemoryTier memory;
  private final PageFetches fetches;
  private final LocalCacheMetrics metrics;

  /** @param isOn the operator's switch */
  public CachedPages(BooleanSupplier isOn, MemoryTier memory, PageFetches fetches,
      LocalCacheMetrics metrics) {
    this.isOn = isOn;
    this.memory = memory;
    this.fetches = fetches;
    this.metrics = metrics;
  }

  /** @return whether pages of the block may be used at this moment. */
  public boolean isOn(CachedBlock block) {
    SsdDirectory ssd = SsdDirectory.of(block);
    return isOn.getAsBoolean() && ssd != null && ssd.mayRead();
  }

  /** The same for a page without a read in progress. */
  public PageBytes get(CachedBlock block, int page, int from, int to, int wanted,
      WaitBudget budget) {
    return get(block, page, from, to, wanted, null, budget);
  }

  /**
   * Finds a page in memory, or reads it from its SSD and waits for that.
   *
   * @param from first byte that is needed now, in the page's data
   * @param to byte after the last that is needed now
   * @param wanted byte after the last that the reader will need of the page; at least {@code to}
   * @param begun the page's read from {@link #readAhead}, closed or returned by this; or null
   * @param budget how long the reader may wait
   * @return at least the needed bytes, verified, to be closed by the caller; null if not available
   */
  PageBytes get(CachedBlock block, int page, int from, int to, int wanted, PageFetch begun,
      WaitBudget budget) {
    SsdDirectory ssd = SsdDirectory.of(block);
    if (ssd == null) {
      IOUtils.closeStream(begun);
      return null;
    }
    try {
      if (begun != null && begun.covers(from, to)) {
        return await(ssd, begun, from, wanted, budget);
      }
      IOUtils.closeStream(begun);
      PageBytes inMemory = memory.find(block, page);
      if (inMemory != null) {
        if (inMemory.covers(from, to)) {
          block.use(page);
          return inMemory;
        }
        // Parts were added since it was moved there.
        inMemory.close();
      }
      return await(ssd, fetches.begin(ssd, block, page, from, to, wanted), from, wanted,
          budget);
    } catch (PageNotReadException.NoBuffer e) {
      metrics.count(Event.READS_WITHOUT_BUFFER);
    } catch (SsdTimeoutException e) {
      metrics.error(Operation.PAGE_READ, ssd.path(), e);
    } catch (IOException e) {
      // It is counted already, once for all who waited for the read.
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.PAGE_READ, e);
    }
    return null;
  }

  private PageBytes await(SsdDirectory ssd, PageFetch fetch, int from, int wanted,
      WaitBudget budget) throws IOException {
    long begin = TimeAndThreads.get().nanoTime();
    try {
      return fetches.await(fetch, from, wanted, budget);
    } finally {
      metrics.ssdTook(TimeAndThreads.get().nanoTime() - begin);
      if (budget.isOverdrawn()) {
        ssd.io().overdrawn(budget.volumeNanos());
      }
    }
  }

  /**
   * Begins to read a page of a stream from its SSD, while the previous page is being sent.
   *
   * @param wanted byte after the last that the reader will need of the page
   * @return null if its beginning is not on the SSD or is in memory, or if others need the buffers
   */
  PageFetch readAhead(CachedBlock block, int page, int wanted) {
    SsdDirectory ssd = SsdDirectory.of(block);
    if (ssd == null || !block.has(page, 0, 1) || memory.has(block, page)
        || !fetches.hasSpareBuffers()) {
      return null;
    }
    try {
      return fetches.begin(ssd, block, page, 0, 1, wanted);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.PAGE_READ, e);
      return null;
    }
  }

  /** Bytes in memory were lost. The reader will not ask for the page again. */
  public void lost(CachedBlock block, int page, Exception error) {
    metrics.error(Operation.MEMORY_READ, error);
    CachedPage lost = block.page(page);
    if (lost != null) {
      memory.remove(lost);
    }
  }
}

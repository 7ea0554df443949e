/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fetch;

import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;

import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.memory.PageKey;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.store.PageNotReadException;
import io.hdfslocalcache.plugin.store.SsdDirectory;

/**
 * Reads pages from SSDs: once for all who want the same bytes of a page at the same time, and only
 * in threads of the SSD's. A page that turns out to be worth it is moved into the memory tier
 * afterwards.
 */
public final class PageFetches {

  /** So much is read at least, in bytes: less costs an SSD as much, and what follows is wanted soon. */
  private static final int AT_LEAST = 64 << 10;

  private final BufferPool buffers;
  private final MemoryTier memory;
  private final ConcurrentHashMap<PageKey, PageFetch> running = new ConcurrentHashMap<>();

  /** @param memory where pages are moved to */
  public PageFetches(BufferPool buffers, MemoryTier memory) {
    this.buffers = buffers;
    this.memory = memory;
  }

  /**
   * Reads a part of a page, or waits for another reader's read of it, until the SSD's deadline.
   *
   * @param from first byte that is needed now, in the page's data
   * @param to byte after the last that is needed now
   * @param wanted byte after the last that the reader will want of the page
   * @return bytes from the first to the last wanted one at least, verified; to be closed
   * @throws PageNotReadException if there is no such page, or no memory for it
   * @throws IOException if the SSD fails, does not answer in time, or returns other bytes
   */
  public PageBytes get(SsdDirectory ssd, CachedBlock block, int page, int from, int to, int wanted)
      throws IOException {
    PageFetch fetch = joinOrBegin(ssd, block, page, from, Math.max(to, wanted));
    try {
      fetch.await();
      return fetch;
    } catch (IOException | RuntimeException | Error e) {
      fetch.close();
      throw e;
    }
  }

  private PageFetch joinOrBegin(SsdDirectory ssd, CachedBlock block, int page, int from, int to) {
    PageFetch own = new PageFetch(block, slice(block.layout(), page, from, to));
    PageFetch fetch = running.compute(PageKey.of(block, page), (key, other) ->
        other != null && other.block() == block && other.covers(from, to) && !other.isOver()
            && other.join() ? other : own);
    if (fetch == own) {
      own.join();
      try {
        own.begun(ssd.io().begin(Operation.PAGE_READ, new Reading(ssd, own)));
      } catch (RuntimeException | Error e) {
        own.notBegun(e);
        running.remove(PageKey.of(block, page), own);
        throw e;
      }
    }
    return fetch;
  }

  private static PageSlice slice(PageLayout layout, int page, int from, int to) {
    int chunk = layout.chunkSize();
    int end = (Math.max(to, from + AT_LEAST) + chunk - 1) / chunk * chunk;
    return new PageSlice(
        layout, page, from / chunk * chunk, Math.min(end, layout.dataLength(page)));
  }

  /** What a thread of the SSD's does. It may outlive its readers. */
  private final class Reading implements SsdIo.Io<Void> {
    private final SsdDirectory ssd;
    private final PageFetch fetch;

    Reading(SsdDirectory ssd, PageFetch fetch) {
      this.ssd = ssd;
      this.fetch = fetch;
    }

    @Override
    public Void run() throws IOException {
      try {
        fetch.read(ssd::read, buffers);
        moveIfWorthIt(ssd, fetch);
        return null;
      } finally {
        skipped();
      }
    }

    @Override
    public void skipped() {
      running.remove(PageKey.of(fetch.block(), fetch.slice().page()), fetch);
      fetch.close();
    }
  }

  private void moveIfWorthIt(SsdDirectory ssd, PageFetch fetch) {
    PageSlice slice = fetch.slice();
    if (!memory.isWorthMoving(fetch.block(), slice.page(), slice.to() - slice.from())) {
      return;
    }
    PageFetch whole = slice.isWhole() ? fetch
        : new PageFetch(fetch.block(), PageSlice.whole(slice.layout(), slice.page()));
    whole.join();
    // A task of its own, for which no reader waits.
    ssd.io().begin(Operation.PAGE_READ, new Moving(ssd, whole, whole == fetch));
  }

  /** Moves a page into the memory tier, in a thread of the SSD's. */
  private final class Moving implements SsdIo.Io<Void> {
    private final SsdDirectory ssd;
    private final PageFetch whole;
    private final boolean isRead;

    Moving(SsdDirectory ssd, PageFetch whole, boolean isRead) {
      this.ssd = ssd;
      this.whole = whole;
      this.isRead = isRead;
    }

    @Override
    public Void run() throws IOException {
      try {
        if (!isRead) {
          whole.read(ssd::read, buffers);
        }
        memory.enter(whole.block(), whole.slice().page(), whole.file());
        return null;
      } finally {
        skipped();
      }
    }

    @Override
    public void skipped() {
      whole.close();
      if (!isRead) {
        // Of the two uses that a fetch of its own begins with.
        whole.close();
      }
    }
  }
}

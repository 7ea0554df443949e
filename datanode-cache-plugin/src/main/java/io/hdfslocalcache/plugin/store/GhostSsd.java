/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;

/**
 * The pages that an {@link SsdDirectory} would have, without the SSD: the same order of eviction,
 * and the same account of the space that page files take. Nothing is read or written.
 */
public final class GhostSsd {

  private final PageEvictor evictor = new PageEvictor();
  private final PageListener listener;
  private final long capacity;
  private final AtomicLong used = new AtomicLong();

  /**
   * Makes an empty one.
   *
   * @param capacity bytes that page files may take
   * @param listener told which pages come and go, as that of an {@link SsdDirectory}
   */
  public GhostSsd(long capacity, PageListener listener) {
    this.capacity = capacity;
    this.listener = listener;
  }

  /** @return whether the page is there. Does not count as a use of it. */
  public boolean contains(CachedBlock block, int page) {
    return evictor.contains(new PageId(block.fileId(), page));
  }

  /** Reads a page, which counts as a use of it. Takes a lock seldom. @return whether it is there */
  public boolean read(CachedBlock block, int page) {
    return evictor.use(new PageId(block.fileId(), page));
  }

  /**
   * Adds a page, and evicts others if there is no room.
   *
   * @return false if it is there already, or larger than the SSD
   */
  public synchronized boolean publish(CachedBlock block, int page) {
    PageId id = new PageId(block.fileId(), page);
    long bytes = block.layout().fileLength(page);
    if (bytes > capacity || evictor.contains(id)) {
      return false;
    }
    while (used.get() + bytes > capacity) {
      evictOne();
    }
    evictor.add(id, bytes);
    used.addAndGet(bytes);
    listener.pageAdded(id.getFileId(), page);
    return true;
  }

  private void evictOne() {
    PageId oldest = evictor.evict();
    remove(oldest);
    listener.pageEvicted();
    if (evictor.lastLeftUnread()) {
      listener.evictedWithoutRead();
    }
  }

  private boolean remove(PageId id) {
    long bytes = evictor.remove(id);
    if (bytes > 0) {
      used.addAndGet(-bytes);
      listener.pageRemoved(id.getFileId(), id.getPageIndex());
    }
    return bytes > 0;
  }

  /**
   * Removes all pages of a block.
   *
   * @return the number of pages that were removed
   */
  public int removeBlock(CachedBlock block) {
    int removed = 0;
    for (int page = 0; page < block.layout().pages(); page++) {
      if (block.mayHave(page) && removePage(block, page)) {
        removed++;
      }
    }
    return removed;
  }

  /** One lock for each page: a fill waits for one page, and not for a large block. */
  private synchronized boolean removePage(CachedBlock block, int page) {
    return remove(new PageId(block.fileId(), page));
  }

  /** @return bytes that page files would take. */
  public long usedBytes() {
    return used.get();
  }

  /** @return bytes that page files may take. */
  public long capacityBytes() {
    return capacity;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;

/**
 * The pages that would be on an SSD, without the SSD: the same order of eviction,
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
   * @param listener told which pages come and go
   */
  public GhostSsd(long capacity, PageListener listener) {
    this.capacity = capacity;
    this.listener = listener;
  }

  /** Reads a page, which counts as a use of it. Takes a lock seldom. @return whether it is there */
  public boolean read(CachedBlock block, int page) {
    return evictor.use(new PageId(block.fileId(), page));
  }

  /**
   * Adds parts of a page, and evicts other pages if there is no room.
   *
   * @param parts those that are not there, a bit for each
   * @return false if they are there already, or larger than the SSD
   */
  public synchronized boolean publish(CachedBlock block, int page, int parts) {
    PageId id = new PageId(block.fileId(), page);
    // The block may have another entry by now, to which another reader has added them.
    if ((parts & ~evictor.parts(id)) == 0) {
      return false;
    }
    long bytes = space(block, page, parts | block.parts(page)) - evictor.bytes(id);
    if (space(block, page, parts | block.parts(page)) > capacity) {
      return false;
    }
    while (used.get() + bytes > capacity) {
      evictOne();
      if (!evictor.contains(id)) {
        bytes = space(block, page, parts);
      }
    }
    used.addAndGet(bytes);
    if (evictor.grow(id, parts, bytes)) {
      listener.partsAdded(id.getFileId(), page, parts);
    } else {
      evictor.add(id, PageOwner.NOBODY, bytes, parts);
      listener.pageAdded(id.getFileId(), page, parts);
    }
    return true;
  }

  private static long space(CachedBlock block, int page, int parts) {
    return block.layout().space(page, parts);
  }

  private void evictOne() {
    PageId oldest = evictor.evict();
    remove(oldest);
    listener.pageEvicted(oldest.getFileId(), oldest.getPageIndex());
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
      if (block.parts(page) != 0 && removePage(block, page)) {
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

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.Lock;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.ssd.file.PageFiles;
import io.hdfslocalcache.plugin.ssd.space.PageEvictor;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import io.hdfslocalcache.shaded.alluxio.client.file.CacheContext;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.CacheManagerOptions;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.DefaultPageMetaStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.LocalCacheManager;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.file.ByteArrayTargetBuffer;
import io.hdfslocalcache.shaded.alluxio.file.ReadTargetBuffer;

/**
 * Which pages are on one SSD, and which leaves when the capacity is reached (LRU): Alluxio's manager
 * above our {@link PageDirectory}, {@link PageEvictor} and {@link PageFiles}. What adds or removes a
 * page waits for the SSD.
 */
final class PageIndex implements AutoCloseable {

  /** Of pages that leave for one that comes. */
  static final int EVICTION_RETRIES = 64;

  private static final CacheContext CONTEXT = CacheContext.defaults();
  /** Where Alluxio puts nothing: a read through its index only asks for presence, and renews it. */
  private static final ReadTargetBuffer NOWHERE = new ByteArrayTargetBuffer(new byte[1], 0);

  private final PageListener listener;
  private final PageEvictor evictor = new PageEvictor();
  private final PageDirectory directory;
  private final DefaultPageMetaStore store;
  private final LocalCacheManager manager;

  /**
   * @param root the directory of this DataNode on this SSD
   * @param capacity bytes that pages may take
   * @param pageSize bytes of block data in a page
   * @param files tells {@link #fileDeleted} of each page file that is deleted
   * @param listener told which pages come and go
   */
  PageIndex(Path root, long capacity, int pageSize, PageFiles files, PageListener listener)
      throws IOException {
    this.listener = listener;
    this.directory = PageDirectory.create(
        root, capacity, pageSize, files, evictor, listener);
    CacheManagerOptions options = new CacheManagerOptions()
        .setPageSize(pageSize)
        .setMaxEvictionRetries(EVICTION_RETRIES)
        // RestoredPages does it: Alluxio takes neither writes nor deletes while it restores.
        .setAsyncRestoreEnabled(false)
        .setIsAsyncWriteEnabled(false)
        .setQuotaEnabled(false)
        .setTtlEnabled(false);
    this.store = new DefaultPageMetaStore(List.of(directory));
    this.manager = LocalCacheManager.create(options, store);
  }

  /** @return the account of the space that pages take. */
  PageDirectory directory() {
    return directory;
  }

  /** @return the order in which pages leave. */
  PageEvictor evictor() {
    return evictor;
  }

  /** @return what is held while pages come and go. */
  Lock lock() {
    return store.getLock().writeLock();
  }

  /** @return whether the page is there. Does not count as a use of it. */
  boolean contains(PageId id) {
    return manager.hasPageUnsafe(id);
  }

  /** @return whether the page is there, which counts as a use. Waits for a page on its way in. */
  boolean find(PageId id) {
    return manager.get(id, 0, 1, NOWHERE, CONTEXT) > 0;
  }

  /** @return number of pages. */
  long pages() {
    return store.numPages();
  }

  /** @return the pages of a block. */
  List<StoredPage> pagesOf(String fileId) {
    store.getLock().readLock().lock();
    try {
      return store.getAllPagesByFileId(fileId).stream()
          .map(info -> (StoredPage) info.getPageId()).toList();
    } finally {
      store.getLock().readLock().unlock();
    }
  }

  /**
   * Adds a page whose file is prepared, and evicts others if there is no room.
   *
   * @param accountedFor as long as the space that the file takes
   * @return false if no room could be made
   */
  boolean add(StoredPage page, ByteBuffer accountedFor) {
    return manager.put(page, accountedFor, CONTEXT);
  }

  /** Adds a page of before a restart. To be called with the {@link #lock}. */
  void addRestored(PageId id, long space, int parts) {
    directory.addRestored(store, id, space, parts);
  }

  /** Adds parts to a page. @return false if there is no room, or no such page */
  boolean growIfThereIsRoom(CachedBlock block, PageId id, int parts) {
    // Others take room at the same time.
    lock().lock();
    try {
      StoredPage page = evictor.stored(id);
      if (page == null || page.block() != block) {
        return false;
      }
      long more = Math.max(0, block.layout().space(
          page.number(), block.parts(page.number()) | parts) - evictor.bytes(id));
      return directory.getCachedBytes() + more <= directory.getCapacityBytes()
          && directory.grow(page, parts, more);
    } finally {
      lock().unlock();
    }
  }

  /** Evicts the page that is next to leave. @return false if there is none */
  boolean evictOne() {
    PageId oldest = evictor.evict();
    if (oldest != null) {
      manager.delete(oldest);
    }
    return oldest != null;
  }

  /** Evicts a page. @return false if it is not there, or fails to leave */
  boolean evict(PageId id) {
    return manager.delete(id);
  }

  /** @return the page as it was added, or null if it is not there. */
  StoredPage stored(PageId id) {
    return evictor.stored(id);
  }

  /** Removes a page, which is no eviction. @return whether its file is deleted */
  boolean remove(StoredPage page) {
    page.invalidate();
    manager.delete(page);
    return page.isFileDeleted();
  }

  /** The file of a page has been deleted. */
  void fileDeleted(PageId id) {
    StoredPage page = (StoredPage) id;
    page.fileDeleted();
    if (!page.isInvalidated()) {
      listener.pageEvicted(page);
    }
  }

  /** Forgets all pages. Their files may be there: that is found when pages are restored. */
  void forgetAll() {
    directory.forgetAll(store);
  }

  @Override
  public void close() throws Exception {
    manager.close();
  }
}

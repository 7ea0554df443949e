/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.ssd.file.PageFiles;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.plugin.ssd.space.PageEvictor;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.plugin.ssd.space.PageOwner;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.DefaultPageMetaStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageInfo;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.LocalPageStoreDir;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.PageStoreOptions;
import io.hdfslocalcache.shaded.alluxio.client.quota.CacheScope;
import io.hdfslocalcache.shaded.alluxio.exception.PageNotFoundException;

/**
 * Alluxio's account of one SSD directory, with our page files below it. Differs from the original
 * in that it forgets a block with its last page (the original keeps a string for every block it
 * ever saw) and tells which pages come and go.
 */
final class PageDirectory extends LocalPageStoreDir {

  /** In the place of a page's time of creation: it is of before the DataNode's restart. */
  private static final long RESTORED = 0;

  private final PageFiles files;
  private final PageEvictor evictor;
  private final PageListener listener;
  private volatile long capacity;
  /** Pages that left since the directory was opened; null when nobody asks. Under the index's lock. */
  private Set<PageId> left;

  private PageDirectory(PageStoreOptions options, PageFiles files, PageEvictor evictor,
      PageListener listener) {
    super(options, files, evictor);
    this.files = files;
    this.evictor = evictor;
    this.capacity = options.getCacheSize();
    this.listener = listener;
  }

  static PageDirectory create(Path root, long capacity, long pageSize, PageFiles files,
      PageEvictor evictor, PageListener listener) {
    PageStoreOptions options = new PageStoreOptions()
        .setRootDir(root.resolve(PagePaths.LAYOUT))
        .setCacheSize(capacity)
        .setPageSize(pageSize)
        .setOverheadRatio(0);
    return new PageDirectory(options, files, evictor, listener);
  }

  @Override
  public PageStore getPageStore() {
    return files;
  }

  /** What pages may take now: no more than is configured. */
  @Override
  public long getCapacityBytes() {
    return capacity;
  }

  /** Changes what pages may take. Nothing leaves for it. */
  void setCapacity(long bytes) {
    capacity = bytes;
  }

  /** Alluxio only asks whether it is there. {@code SsdHome} has seen to that; a dry run has none. */
  @Override
  public Path getRootPath() {
    return super.getRootPath().getRoot();
  }

  @Override
  public void reset() {
    // The original replaces our page files by its own.
  }

  @Override
  public void scanPages(Consumer<Optional<PageInfo>> consumer) {
    // What is there is restored in the background, by RestoredPages.
  }

  @Override
  public void putPage(PageInfo page) {
    StoredPage added = (StoredPage) page.getPageId();
    if (page.getCreatedTimestamp() == RESTORED) {
      evictor.addOlder(added, page.getPageSize());
    } else {
      evictor.add(added, page.getPageSize());
    }
    // Releasing less than nothing is the one way to the private count of used bytes.
    release(-page.getPageSize());
    listener.pageAdded(added);
  }

  /** Adds a page of before a restart. To be called with the index's lock. */
  void addRestored(DefaultPageMetaStore index, PageId id, long space, int parts) {
    StoredPage page =
        new StoredPage(id.getFileId(), id.getPageIndex(), PageOwner.NOBODY, parts, true);
    index.addPage(page, new PageInfo(page, space, CacheScope.GLOBAL, this, RESTORED));
  }

  /**
   * A page gets more parts. To be called with the index's lock.
   *
   * @param bytes that they take
   * @return false if it is not there
   */
  boolean grow(StoredPage page, int parts, long bytes) {
    if (!evictor.grow(page, parts, bytes)) {
      return false;
    }
    release(-bytes);
    return true;
  }

  @Override
  public long deletePage(PageInfo page) {
    StoredPage leaving = (StoredPage) page.getPageId();
    // What has come since Alluxio was told of its size.
    release(leaving.bytes() - page.getPageSize());
    long used = super.deletePage(page);
    if (left != null) {
      left.add(leaving);
    }
    listener.pageRemoved(leaving);
    return used;
  }

  /**
   * Forgets all pages. Their files may be there: that is found when pages are restored.
   *
   * @param index Alluxio's, which has the pages, too
   */
  void forgetAll(DefaultPageMetaStore index) {
    for (StoredPage page : evictor.pages()) {
      index.getLock().writeLock().lock();
      try {
        if (index.hasPage(page)) {
          index.removePage(page);
        }
      } catch (PageNotFoundException e) {
        throw new IllegalStateException("removed without the index's lock: " + page, e);
      } finally {
        index.getLock().writeLock().unlock();
      }
    }
  }

  /**
   * Begins or ends to remember which pages leave: a file that was listed before its page left must
   * not bring the page back. To be called with the index's lock.
   */
  void rememberLeaving(boolean remember) {
    left = remember ? new HashSet<>() : null;
  }

  /** @return whether the page left since it is remembered. To be called with the index's lock. */
  boolean hasLeft(PageId page) {
    return left != null && left.contains(page);
  }
}

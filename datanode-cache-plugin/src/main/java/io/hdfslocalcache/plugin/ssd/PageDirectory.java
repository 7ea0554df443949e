/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.ssd.file.PageFiles;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.plugin.ssd.space.PageEvictor;
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
 * Alluxio's accounting of one SSD directory, with our page files. Unlike the original, it forgets a
 * block with its last page (the original keeps a string for every block it ever saw), and index and
 * memory follow it.
 */
final class PageDirectory extends LocalPageStoreDir {

  /** Replaces the creation time of a page from before the DataNode's restart. */
  private static final long RESTORED = 0;

  private final PageFiles files;
  private final PageEvictor evictor;
  private final BlockIndex blocks;
  private final MemoryTier memory;
  private volatile long capacity;
  /** Pages removed since the directory was opened; null if not recorded. Under the index's lock. */
  private Set<PageId> left;

  private PageDirectory(PageStoreOptions options, PageFiles files, PageEvictor evictor,
      BlockIndex blocks, MemoryTier memory) {
    super(options, files, evictor);
    this.files = files;
    this.evictor = evictor;
    this.capacity = options.getCacheSize();
    this.blocks = blocks;
    this.memory = memory;
  }

  static PageDirectory create(Path root, long capacity, long pageSize, PageFiles files,
      PageEvictor evictor, BlockIndex blocks, MemoryTier memory) {
    PageStoreOptions options = new PageStoreOptions()
        .setRootDir(root.resolve(PagePaths.LAYOUT))
        .setCacheSize(capacity)
        .setPageSize(pageSize)
        .setOverheadRatio(0);
    return new PageDirectory(options, files, evictor, blocks, memory);
  }

  @Override
  public PageStore getPageStore() {
    return files;
  }

  /** The present capacity: at most the configured one. */
  @Override
  public long getCapacityBytes() {
    return capacity;
  }

  /** Changes the capacity. Evicts nothing. */
  void setCapacity(long bytes) {
    capacity = bytes;
  }

  /** Alluxio only checks that it exists. {@code SsdHome} has done so; a dry run has none. */
  @Override
  public Path getRootPath() {
    return super.getRootPath().getRoot();
  }

  @Override
  public void reset() {
    // The original would replace our page files by its own.
  }

  @Override
  public void scanPages(Consumer<Optional<PageInfo>> consumer) {
    // RestoredPages restores existing pages in the background.
  }

  @Override
  public void putPage(PageInfo page) {
    StoredPage added = (StoredPage) page.getPageId();
    if (page.getCreatedTimestamp() == RESTORED) {
      evictor.addOlder(added, page.getPageSize());
    } else {
      evictor.add(added, page.getPageSize());
    }
    // Releasing a negative size is the only way to add to the private count of used bytes.
    release(-page.getPageSize());
    blocks.pageAdded(added.block(), added);
  }

  /** Adds a restored page. Call with the index's lock. */
  void addRestored(DefaultPageMetaStore index, PageId id, long space, int parts) {
    StoredPage page =
        new StoredPage(id.getFileId(), id.getPageIndex(), PageEvictor.Owner.NOBODY, parts, true);
    index.addPage(page, new PageInfo(page, space, CacheScope.GLOBAL, this, RESTORED));
  }

  /**
   * Adds parts to a page. Call with the index's lock.
   *
   * @param bytes of these parts
   * @return false if there is no such page
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
    // Parts added after Alluxio was told the page's size.
    release(leaving.bytes() - page.getPageSize());
    long used = super.deletePage(page);
    if (left != null) {
      left.add(leaving);
    }
    blocks.pageRemoved(leaving.block(), leaving);
    // After the index, so that a thread moving the page into memory sees that it is gone.
    memory.remove(leaving);
    return used;
  }

  /**
   * Forgets all pages. Their files may exist: restoring will find them.
   *
   * @param index Alluxio's, which also has the pages
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
   * Starts or stops recording removed pages: a file listed before its page was removed must not
   * restore the page. Call with the index's lock.
   */
  void rememberLeaving(boolean remember) {
    left = remember ? new HashSet<>() : null;
  }

  /** @return whether the page was removed since recording. Call with the index's lock. */
  boolean hasLeft(PageId page) {
    return left != null && left.contains(page);
  }
}

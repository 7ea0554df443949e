/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageInfo;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.CacheEvictor;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.LocalPageStoreDir;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.PageStoreOptions;

/**
 * Alluxio's account of one SSD directory, with our page files below it. Differs from the original
 * in that it forgets a block with its last page (the original keeps a string for every block it
 * ever saw) and tells which pages come and go.
 */
final class PageDirectory extends LocalPageStoreDir {

  /** Alluxio's name for this layout of files. */
  static final String LAYOUT = "LOCAL";

  private final PageFiles files;
  private final PageListener listener;

  private PageDirectory(PageStoreOptions options, PageFiles files, CacheEvictor evictor,
      PageListener listener) {
    super(options, files, evictor);
    this.files = files;
    this.listener = listener;
  }

  static PageDirectory create(Path root, long capacity, long pageSize, PageFiles files,
      CacheEvictor evictor, PageListener listener) {
    PageStoreOptions options = new PageStoreOptions()
        .setRootDir(root.resolve(LAYOUT))
        .setCacheSize(capacity)
        .setPageSize(pageSize)
        .setOverheadRatio(0);
    return new PageDirectory(options, files, evictor, listener);
  }

  @Override
  public PageStore getPageStore() {
    return files;
  }

  @Override
  public void reset() {
    // The original replaces our page files by its own.
  }

  @Override
  public void scanPages(Consumer<Optional<PageInfo>> consumer) {
    // The directory is empty when it is opened.
  }

  @Override
  public void putPage(PageInfo page) {
    getEvictor().updateOnPut(page.getPageId());
    // Releasing less than nothing is the one way to the private count of used bytes.
    release(-page.getPageSize());
    listener.pageAdded(page.getPageId().getFileId(), page.getPageId().getPageIndex());
  }

  @Override
  public long deletePage(PageInfo page) {
    long used = super.deletePage(page);
    listener.pageRemoved(page.getPageId().getFileId(), page.getPageId().getPageIndex());
    return used;
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.ssd.file.BlockScan;
import io.hdfslocalcache.plugin.ssd.file.PageFiles;
import io.hdfslocalcache.plugin.ssd.file.PageOrigin;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.plugin.ssd.file.PageTree;
import io.hdfslocalcache.plugin.ssd.space.EvictionOrder;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;

/**
 * The pages on one SSD when the DataNode started, restored block by block while the directory is in
 * use. Three steps for each block, by one thread:
 *
 * <ol>
 * <li>{@link #adopt}: the page store learns of the pages. They take space and can be evicted, but
 * readers do not find them. <li>{@link #identify}: the trailer of a page names the replica that the
 * pages were copied from. <li>{@link #link}: the block's entry in the index learns of its pages;
 * readers find them.
 * </ol>
 *
 * Anything that is no page of a block is deleted. Links are not followed.
 */
public final class RestoredPages {

  private final SsdPages pages;
  private final Path root;
  private final int pageSize;
  private final PageFiles files;
  private final PagePaths paths;
  private final PageDirectory directory;
  private final Supplier<Map<String, List<Integer>>> pagesInMemory;
  private volatile Map<String, List<Integer>> wereInMemory = Map.of();
  /** As saved at the last stop. */
  private List<String> order = List.of();
  private volatile List<String> blocks;
  private int listings;
  private volatile int adopted;
  private volatile boolean over;

  /** @param pagesInMemory pages in the memory tier now, by block */
  RestoredPages(SsdPages pages, Path root, int pageSize, PageFiles files,
      Supplier<Map<String, List<Integer>>> pagesInMemory) {
    this.pagesInMemory = pagesInMemory;
    this.pages = pages;
    this.root = root;
    this.pageSize = pageSize;
    this.files = files;
    this.paths = files.paths();
    this.directory = pages.directory();
  }

  /**
   * Lists the blocks. If that fails, it can be called again; from the third call on, it leaves out
   * what cannot be read: that is deleted when it can.
   *
   * @param counts receives, here and below, an event and a number of files
   * @return the names of blocks with pages, the most recently used first
   * @throws IOException if the SSD fails
   */
  public List<String> begin(ObjIntConsumer<Event> counts) throws IOException {
    boolean skips = ++listings > 2;
    remember(true);
    Map<String, List<Integer>> saved = EvictionOrder.take(root);
    if (!saved.isEmpty()) {
      order = List.copyOf(saved.keySet());
      wereInMemory = saved.entrySet().stream().filter(block -> !block.getValue().isEmpty())
          .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
    adopted = 0;
    // A stop before they are listed saves it again.
    blocks = order;
    if (skips) {
      files.leftBehind();
    }
    blocks = BlockScan.newestFirst(paths.pages(), order, skips,
        () -> counts.accept(Event.RESTORE_DROPPED_FOREIGN, 1));
    return blocks;
  }

  /** Saves the order of the blocks by use, unless the order of the last stop is still there. */
  void keepOrder() {
    List<String> all = blocks;
    if (all != null) {
      List<String> newestFirst = pages.evictor().blocksNewestFirst();
      newestFirst.addAll(all.subList(Math.min(adopted, all.size()), all.size()));
      Map<String, List<Integer>> inMemory = new HashMap<>(wereInMemory);
      inMemory.putAll(pagesInMemory.get());
      EvictionOrder.write(root, newestFirst, inMemory);
    }
  }

  /** @return the pages that were in memory before the restart and may not be again, by block. */
  public Map<String, List<Integer>> wereInMemory() {
    return wereInMemory;
  }

  /** All of {@link #wereInMemory} were moved there, as far as there was room. */
  public void areInMemoryAgain() {
    wereInMemory = Map.of();
  }

  /** All blocks are adopted. */
  public void end() {
    blocks = List.of();
    remember(false);
    over = true;
  }

  /** @return whether all blocks are adopted: a file missing in the index is then no page. */
  boolean isOver() {
    return over;
  }

  private void remember(boolean leaving) {
    pages.lock().lock();
    try {
      directory.rememberLeaving(leaving);
    } finally {
      pages.lock().unlock();
    }
  }

  /**
   * Adds the pages of a block to the page store, as older than those of earlier blocks.
   *
   * @throws IOException if the SSD fails; pages that were not added are deleted later
   */
  public void adopt(String fileId, ObjIntConsumer<Event> counts) throws IOException {
    adopted++;
    try {
      adoptFiles(fileId, counts);
    } catch (IOException | RuntimeException | Error e) {
      files.leftBehind();
      throw e;
    }
  }

  private void adoptFiles(String fileId, ObjIntConsumer<Event> counts) throws IOException {
    Path block = paths.block(fileId);
    int entries = 0;
    try (DirectoryStream<Path> listed = Files.newDirectoryStream(block)) {
      for (Path file : listed) {
        adoptFile(fileId, file, counts);
        entries++;
      }
    } catch (NoSuchFileException e) {
      // Gone with its last page, unless the whole SSD was gone for a moment.
      files.leftBehind();
      return;
    } catch (NotDirectoryException e) {
      deleteForeign(block, counts);
      return;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    if (entries == 0) {
      PageFiles.deleteIfEmpty(block);
    }
  }

  private void adoptFile(String fileId, Path file, ObjIntConsumer<Event> counts)
      throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(
          file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      // Evicted meanwhile, after a fill had brought it back, unless the SSD was gone for a moment.
      files.leftBehind();
      return;
    }
    int page = PagePaths.pageNumber(file.getFileName().toString());
    if (page < 0 || !attributes.isRegularFile()) {
      deleteForeign(file, counts);
      return;
    }
    PageId id = new PageId(fileId, page);
    Event dropped = add(id, attributes.size());
    if (dropped != null) {
      counts.accept(dropped, 1);
    }
  }

  private void deleteForeign(Path path, ObjIntConsumer<Event> counts) throws IOException {
    PageTree.delete(path);
    counts.accept(Event.RESTORE_DROPPED_FOREIGN, 1);
  }

  /** @return why the page was deleted, or null if it was not. */
  private Event add(PageId id, long length) throws IOException {
    pages.lock().lock();
    try {
      if (pages.contains(id) || directory.hasLeft(id)) {
        return null;
      }
      Event cause = null;
      long space = PageLayout.spaceOfFile(pageSize, length);
      if (!PageLayout.isFileLength(length) || space > StoredPage.MOST_BYTES) {
        cause = Event.RESTORE_DROPPED_DAMAGED;
      } else if (directory.getCachedBytes() + space > directory.getCapacityBytes()) {
        cause = Event.RESTORE_DROPPED_NO_ROOM;
      }
      if (cause == null) {
        pages.addRestored(id, space, PageLayout.partsIn(length));
      } else {
        // Under the lock: a fill that is publishing this page has it in the index already.
        Files.deleteIfExists(paths.file(id));
        PageFiles.deleteIfEmpty(paths.block(id.getFileId()));
      }
      return cause;
    } finally {
      pages.lock().unlock();
    }
  }

  /**
   * Reads from a page which replica the block's pages were copied from. Drops damaged pages on the
   * way.
   *
   * @return null if the block has no valid page
   */
  public PageOrigin identify(String fileId, ObjIntConsumer<Event> counts) throws IOException {
    for (StoredPage page : pages.pagesOf(fileId)) {
      try {
        PageOrigin origin = PageOrigin.read(paths.file(page), page, pageSize);
        if (origin != null) {
          return origin;
        }
        drop(page, counts);
      } catch (NoSuchFileException e) {
        // A reader, or the eviction that removed it, deals with it.
      }
    }
    return null;
  }

  private void drop(StoredPage page, ObjIntConsumer<Event> counts) {
    pages.remove(page);
    counts.accept(Event.RESTORE_DROPPED_DAMAGED, 1);
  }

  /**
   * Adds its pages to the block's entry in the index. The caller holds the block's lock, and has
   * checked that it is alive.
   */
  public void link(CachedBlock block, ObjIntConsumer<Event> counts) {
    int linked = 0;
    for (StoredPage page : pages.pagesOf(block.fileId())) {
      if (page.block() != null || !page.isThere()) {
        // It was filled meanwhile, or has just left.
        continue;
      }
      if (page.number() >= block.layout().pages()
          || !hasLengthOf(page, block.layout())) {
        drop(page, counts);
      } else if (linkPage(block, page)) {
        linked++;
      }
    }
    counts.accept(Event.RESTORED_PAGES, linked);
  }

  private boolean hasLengthOf(StoredPage page, PageLayout layout) {
    int number = page.number();
    long space = page.bytes();
    int parts = page.parts();
    // Filled since the start, or found at the start.
    return space == layout.space(number, parts)
        || space == PageLayout.spaceOfFile(pageSize, layout.fileLength(number, parts));
  }

  private boolean linkPage(CachedBlock block, StoredPage page) {
    pages.lock().lock();
    try {
      if (!page.isThere() || page.block() != null
          || (page.parts() & block.layout().allParts(page.number())) == 0) {
        return false;
      }
      page.belongsTo(block);
      return block.add(page);
    } finally {
      pages.lock().unlock();
    }
  }
}

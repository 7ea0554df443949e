/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.BlockFileId;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.DefaultPageMetaStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageInfo;

/**
 * The pages that one SSD had when the DataNode started, brought back block by block while the
 * directory is in use. Three steps for each block, by one thread:
 *
 * <ol>
 *   <li>{@link #adopt}: the page store learns which pages there are. They take room, and leave when
 *       others need it, but no reader can find them.
 *   <li>{@link #identify}: the trailer of a page says which replica the pages were copied from.
 *   <li>{@link #link}: the block's entry in the index learns of its pages; readers find them.
 * </ol>
 *
 * What is no page of a block is deleted, whatever it is. Nothing is followed that is a link.
 */
public final class RestoredPages {

  /** Counts what happened to files. */
  public interface Counts {
    void add(Event event, int files);
  }

  /** Which replica the pages of a block were copied from, and how it lies in them. */
  public record Origin(ReplicaSnapshot snapshot, PageLayout layout) {
  }

  /** Blocks of the file system in which a page's trailers are looked for, from its end. */
  private static final int MOST_BLOCKS_OF_TAILS = 64;

  private final SsdDirectory ssd;
  private final Path root;
  private final int pageSize;
  private final PageFiles files;
  private final PageDirectory directory;
  private final DefaultPageMetaStore store;
  private volatile List<String> blocks;
  private volatile int adopted;

  RestoredPages(SsdDirectory ssd, Path root, int pageSize, PageFiles files,
      PageDirectory directory, DefaultPageMetaStore store) {
    this.ssd = ssd;
    this.root = root;
    this.pageSize = pageSize;
    this.files = files;
    this.directory = directory;
    this.store = store;
  }

  /**
   * Lists the blocks.
   *
   * @return the names of blocks with pages, those first that were used last
   * @throws IOException if the SSD fails
   */
  public List<String> begin(Counts counts) throws IOException {
    remember(true);
    blocks = BlockScan.newestFirst(
        files.root(), EvictionOrder.take(root), () -> counts.add(Event.RESTORE_DROPPED_FOREIGN, 1));
    return blocks;
  }

  /** @return whether {@link #begin} has taken what the last stop left. */
  boolean hasBegun() {
    return blocks != null;
  }

  /** @return the blocks that are not adopted yet. */
  List<String> remaining() {
    List<String> all = blocks;
    return all.subList(Math.min(adopted, all.size()), all.size());
  }

  /** All blocks are adopted. */
  public void end() {
    blocks = List.of();
    remember(false);
  }

  private void remember(boolean leaving) {
    store.getLock().writeLock().lock();
    try {
      directory.rememberLeaving(leaving);
    } finally {
      store.getLock().writeLock().unlock();
    }
  }

  /**
   * Adds the pages of a block to the page store, as older than those of all blocks before.
   *
   * @throws IOException if the SSD fails
   */
  public void adopt(String fileId, Counts counts) throws IOException {
    adopted++;
    Path block = files.blockDirectory(fileId);
    int entries = 0;
    try (DirectoryStream<Path> listed = Files.newDirectoryStream(block)) {
      for (Path file : listed) {
        adoptFile(fileId, file, counts);
        entries++;
      }
    } catch (NoSuchFileException e) {
      return;
    } catch (NotDirectoryException e) {
      deleteForeign(block, counts);
      return;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    if (entries == 0) {
      files.deleteIfEmpty(block);
    }
  }

  private void adoptFile(String fileId, Path file, Counts counts) throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(
          file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      // Evicted meanwhile, after a fill had brought it back.
      return;
    }
    int page = BlockScan.pageNumber(file.getFileName().toString());
    if (page < 0 || !attributes.isRegularFile()) {
      deleteForeign(file, counts);
      return;
    }
    PageId id = new PageId(fileId, page);
    Event dropped = add(id, attributes.size());
    if (dropped != null) {
      counts.add(dropped, 1);
    }
  }

  private void deleteForeign(Path path, Counts counts) throws IOException {
    PageTree.delete(path);
    counts.add(Event.RESTORE_DROPPED_FOREIGN, 1);
  }

  /** @return why the page was deleted, or null if it was not. */
  private Event add(PageId id, long length) throws IOException {
    store.getLock().writeLock().lock();
    try {
      if (store.hasPage(id) || directory.hasLeft(id)) {
        return null;
      }
      Event cause = null;
      long space = PageLayout.spaceOfFile(pageSize, length);
      if (!PageLayout.isFileLength(length)) {
        cause = Event.RESTORE_DROPPED_DAMAGED;
      } else if (directory.getCachedBytes() + space > directory.getCapacityBytes()) {
        cause = Event.RESTORE_DROPPED_NO_ROOM;
      }
      if (cause == null) {
        directory.addRestored(store, id, space, PageLayout.partsIn(length));
      } else {
        // Under the lock: a fill that is publishing this page has it in the index already.
        Files.deleteIfExists(files.pathOf(id));
        files.deleteIfEmpty(files.blockDirectory(id.getFileId()));
      }
      return cause;
    } finally {
      store.getLock().writeLock().unlock();
    }
  }

  /**
   * Finds out from a page what the block's pages were copied from. Damaged pages that are found on
   * the way are dropped.
   *
   * @return null if the block has no sound page
   */
  public Origin identify(String fileId, Counts counts) throws IOException {
    for (PageInfo page : pagesOf(fileId)) {
      try {
        Origin origin = readOrigin(page.getPageId());
        if (origin != null) {
          return origin;
        }
        drop(page, counts);
      } catch (NoSuchFileException e) {
        // It is for a reader, or for the eviction that took it, to deal with.
      }
    }
    return null;
  }

  private PageInfo[] pagesOf(String fileId) {
    store.getLock().readLock().lock();
    try {
      return store.getAllPagesByFileId(fileId).toArray(new PageInfo[0]);
    } finally {
      store.getLock().readLock().unlock();
    }
  }

  private Origin readOrigin(PageId id) throws IOException {
    try (FileChannel file = FileChannel.open(
        files.pathOf(id), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      // The tails are at the end, and which of them are there is not known yet.
      long end = file.size() / PageLayout.ALIGNMENT * PageLayout.ALIGNMENT;
      for (int i = 0; i < MOST_BLOCKS_OF_TAILS && end > 0; i++) {
        ByteBuffer trailer = ByteBuffer.allocate(PageTrailer.LENGTH);
        long position = end - PageTrailer.LENGTH;
        while (trailer.hasRemaining()
            && file.read(trailer, position + trailer.position()) > 0) {
          // Reads on.
        }
        PageTrailer.Origin read = PageTrailer.read(trailer.flip());
        if (read != null) {
          return origin(id, read, position, trailer.rewind());
        }
        end -= PageLayout.ALIGNMENT;
      }
      return null;
    }
  }

  /** @return what the trailer says, or null if it is not of this page. */
  private Origin origin(PageId id, PageTrailer.Origin read, long position,
      ByteBuffer trailer) {
    if (!PageLayout.supports(pageSize, read.checksum())) {
      return null;
    }
    BlockKey key = BlockFileId.blockOf(id.getFileId());
    ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey(key.blockPoolId(), read.blockId()),
        read.generationStamp(), read.blockLength());
    PageLayout layout = new PageLayout(pageSize, read.checksum(), snapshot.length());
    int page = (int) id.getPageIndex();
    boolean isThisPage = BlockFileId.of(snapshot).equals(id.getFileId())
        && page < layout.pages()
        && PageTrailer.isOf(trailer, snapshot, layout, page, read.part())
        && position == layout.tailPosition(page, read.part() + 1) - PageTrailer.LENGTH;
    return isThisPage ? new Origin(snapshot, layout) : null;
  }

  private void drop(PageInfo page, Counts counts) {
    ssd.removePage(page.getPageId().getFileId(), (int) page.getPageId().getPageIndex());
    counts.add(Event.RESTORE_DROPPED_DAMAGED, 1);
  }

  /**
   * Has the block's entry in the index know its pages. The caller has the block's monitor, and has
   * seen that it is alive.
   */
  public void link(CachedBlock block, Counts counts) {
    int linked = 0;
    for (PageInfo page : pagesOf(block.fileId())) {
      long index = page.getPageId().getPageIndex();
      if (directory.parts(page.getPageId()) == 0) {
        // It has just left.
        continue;
      }
      if (index >= block.layout().pages()
          || !hasLengthOf(page, block.layout())) {
        drop(page, counts);
      } else if (linkPage(block, page.getPageId())) {
        linked++;
      }
    }
    counts.add(Event.RESTORED_PAGES, linked);
  }

  private boolean hasLengthOf(PageInfo page, PageLayout layout) {
    int index = (int) page.getPageId().getPageIndex();
    long space = directory.space(page.getPageId());
    int parts = directory.parts(page.getPageId());
    // Filled since the start, or found at the start.
    return space == layout.space(index, parts)
        || space == PageLayout.spaceOfFile(pageSize, layout.fileLength(index, parts));
  }

  private boolean linkPage(CachedBlock block, PageId id) {
    store.getLock().writeLock().lock();
    try {
      int page = (int) id.getPageIndex();
      int parts = directory.parts(id) & block.layout().allParts(page);
      return parts != 0 && block.add(page, parts);
    } finally {
      store.getLock().writeLock().unlock();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.health.SsdUnavailableException;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.file.PageFiles;
import io.hdfslocalcache.plugin.ssd.mount.SsdPresence;
import io.hdfslocalcache.plugin.ssd.space.PageEvictor;
import io.hdfslocalcache.plugin.ssd.space.PageOwner;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * The pages on one SSD: reads them, writes them and adds them to the index, and removes them. What
 * changes something may be held by the SSD for a while, and is watched.
 */
public final class SsdPages {

  private static final int READ_ATTEMPTS = 3;

  private final PageFiles files;
  private final PageIndex index;
  private final SsdIo io;
  private final SsdPresence presence;
  private final Consumer<IOException> onWriteFailure;

  /** @param onWriteFailure called when the SSD could not write */
  SsdPages(PageFiles files, PageIndex index, SsdIo io, SsdPresence presence,
      Consumer<IOException> onWriteFailure) {
    this.files = files;
    this.index = index;
    this.io = io;
    this.presence = presence;
    this.onWriteFailure = onWriteFailure;
  }

  /** The first use of Alluxio's classes takes 0.1 s, for which no reader shall wait. */
  void warmUp(int pageSize) throws IOException {
    PageId id = new PageId("warm-up", 0);
    PageSlice slice = PageSlice.whole(PageLayout.usual(pageSize, 1), 0);
    ByteBuffer content = ByteBuffer
        .allocateDirect(slice.bufferLength() + PageLayout.ALIGNMENT)
        .alignedSlice(PageLayout.ALIGNMENT).limit(slice.bufferLength());
    files.prepare(id, slice, content);
    index.add(new StoredPage(id.getFileId(), 0, PageOwner.NOBODY, slice.parts()), content);
    if (!index.find(id) || files.isNameless(id)) {
      throw new IOException("a page that was just written is not there: "
          + files.paths().file(id));
    }
    remove(index.stored(id));
  }

  private static PageId id(CachedBlock block, int page) {
    return new PageId(block.fileId(), page);
  }

  private static PageNotReadException left(CachedBlock block, int page) {
    return new PageNotReadException("page " + page + " of " + block + " has left");
  }

  /** @return number of pages. */
  public long count() {
    return index.pages();
  }

  /** @return whether the page is there. Does not count as a use of it. */
  public boolean contains(CachedBlock block, int page) {
    return index.contains(id(block, page));
  }

  /**
   * A page is used without its file. Waits for nobody.
   *
   * @return whether it is there
   */
  public boolean used(CachedBlock block, int page) {
    return index.evictor().use(id(block, page));
  }

  /**
   * Reads a part of a page's file, which counts as a use of the page. Waits for the SSD: only for a
   * thread of its own.
   *
   * @param buffer outside the heap, aligned for direct I/O, large enough for the slice
   * @throws PageNotReadException if there is no such page
   * @throws DamagedPageException if the file is not there, or too short
   * @throws IOException if the SSD fails
   */
  public void read(CachedBlock block, PageSlice slice, ByteBuffer buffer) throws IOException {
    PageId id = id(block, slice.page());
    for (int attempt = 1; index.find(id); attempt++) {
      try {
        files.read(id, slice, buffer);
        return;
      } catch (NoSuchFileException e) {
        // Evicted between the two steps, and perhaps on its way in again. The first step waits
        // until a page on its way in is there.
        if (attempt == READ_ATTEMPTS) {
          throw whyMissing(id, e);
        }
      }
    }
    throw left(block, slice.page());
  }

  /** @return why there is no file of a page that is in the index. */
  private IOException whyMissing(PageId id, NoSuchFileException missing) {
    if (files.isNameless(id)) {
      return new PageNotReadException("it has no file");
    }
    if (!presence.check()) {
      return new SsdUnavailableException("the SSD is down: " + io.health().reason());
    }
    return new DamagedPageException(
        "the file of a page is gone: " + files.paths().file(id), missing);
  }

  /**
   * Writes the first parts of a page to the SSD, where nobody finds them before they are {@link
   * #publish published}. The caller publishes or {@link #discard discards} them.
   *
   * @param slice whole parts of the page
   * @param buffer of the slice
   * @throws IOException if the SSD fails
   */
  public void prepare(CachedBlock block, PageSlice slice, ByteBuffer buffer) throws IOException {
    write(() -> files.prepare(id(block, slice.page()), slice, buffer));
  }

  /**
   * Writes more parts to the file of a page, where nobody finds them before they are {@link
   * #publishMore published}. No other thread may write to the same page.
   *
   * @param slice whole parts of the page
   * @param parts those of them to be written, which are not there
   * @param buffer of the slice
   * @throws PageNotReadException if the page has been evicted meanwhile
   * @throws IOException if the SSD fails
   */
  public void extend(CachedBlock block, PageSlice slice, int parts, ByteBuffer buffer)
      throws IOException {
    int page = slice.page();
    try {
      write(() -> files.extend(id(block, page), slice, parts, block.parts(page) | parts, buffer));
    } catch (NoSuchFileException e) {
      throw left(block, page);
    }
  }

  private void write(InvocationRaisingIOE writing) throws IOException {
    try {
      io.watch(Operation.PAGE_WRITE, () -> {
        writing.apply();
        return null;
      });
    } catch (NoSuchFileException e) {
      // The page has been evicted, unless the directory is gone.
      presence.check();
      throw e;
    } catch (IOException e) {
      onWriteFailure.accept(e);
      throw e;
    }
  }

  /**
   * Adds a prepared page, and evicts others if there is no room.
   *
   * @param slice the parts that it was prepared from
   * @param buffer of the slice; only its capacity matters
   * @param owner on whose account; null: nobody's
   * @return false if no room could be made, or the SSD failed
   */
  public boolean publish(CachedBlock block, PageSlice slice, ByteBuffer buffer, PageOwner owner) {
    // What Alluxio counts is the space that the file takes, not its length.
    ByteBuffer accountedFor = buffer.duplicate().clear();
    accountedFor.limit((int) Math.min(
        accountedFor.capacity(), block.layout().space(slice.page(), slice.parts())));
    StoredPage page = new StoredPage(
        block, slice.page(), owner == null ? PageOwner.NOBODY : owner, slice.parts());
    boolean added = watched(Operation.PAGE_WRITE, () -> index.add(page, accountedFor));
    if (files.isNameless(page)) {
      removePage(block, slice.page());
      files.forgetNameless(page);
      return false;
    }
    return added;
  }

  /**
   * Adds parts that were written to the file of a page, and evicts other pages if there is no room.
   *
   * @return false if the page has left, or no room could be made
   */
  public boolean publishMore(CachedBlock block, int page, int parts) {
    PageId id = id(block, page);
    for (int i = 0; i < PageIndex.EVICTION_RETRIES && index.evictor().contains(id); i++) {
      if (index.growIfThereIsRoom(block, id, parts)) {
        return true;
      }
      watched(Operation.PAGE_DELETE, index::evictOne);
    }
    return false;
  }

  /** Removes what is left of a prepared page that was not published; nothing if it was. */
  public void discard(CachedBlock block, int page) throws IOException {
    files.discard(id(block, page));
  }

  /** @return on whose account a page is; null if it is not there. */
  public PageOwner ownerOf(CachedBlock block, int page) {
    return index.evictor().owner(id(block, page));
  }

  /**
   * Asks for every page whose it is.
   *
   * @param ownerOf given the page, and whose it was, returns the owner
   */
  public void assignOwners(BiFunction<StoredPage, PageOwner, PageOwner> ownerOf) {
    index.evictor().assign(ownerOf);
  }

  /**
   * Evicts, of the pages of some owners, the one that was not used for the longest time; no pinned
   * one while there are others.
   *
   * @return whose it was, or null if they have no page here
   */
  public PageOwner evictOneOf(Predicate<PageOwner> owners) {
    PageEvictor.Victim oldest = index.evictor().oldestOf(owners);
    if (oldest == null) {
      return null;
    }
    watched(Operation.PAGE_DELETE, () -> index.evict(oldest.id()));
    return oldest.owner();
  }

  /**
   * Removes all pages of a block. Takes as long as the SSD needs to unlink them: not for a
   * reader's thread.
   *
   * @return the number of pages that were removed
   */
  public int removeBlock(CachedBlock block) {
    return removeAll(block.fileId(), block);
  }

  /** Removes the pages of this name that no block knows, as {@link #removeBlock}. */
  public int removeUnknown(String fileId) {
    return removeAll(fileId, null);
  }

  /** A later block of the same name keeps its pages. @param block null: none */
  private int removeAll(String fileId, CachedBlock block) {
    return watched(Operation.PAGE_DELETE, () -> (int) index.pagesOf(fileId).stream()
        .filter(page -> page.block() == block || page.block() == null).filter(index::remove).count());
  }

  /** Removes one page of a block. */
  public void removePage(CachedBlock block, int page) {
    StoredPage stored = index.stored(id(block, page));
    if (stored != null && stored.block() == block) {
      remove(stored);
    }
  }

  /** Removes a page. */
  void remove(StoredPage page) {
    watched(Operation.PAGE_DELETE, () -> index.remove(page));
  }

  private <T> T watched(Operation operation, SsdIo.Io<T> change) {
    try {
      return io.watch(operation, change);
    } catch (IOException e) {
      throw new IllegalStateException("Alluxio's index throws none", e);
    }
  }
}

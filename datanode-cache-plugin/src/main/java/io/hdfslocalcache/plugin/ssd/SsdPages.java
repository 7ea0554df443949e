/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.health.SsdUnavailableException;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.index.CachedPage;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.file.PageFiles;
import io.hdfslocalcache.plugin.ssd.mount.SsdPresence;
import io.hdfslocalcache.plugin.ssd.space.PageEvictor;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import io.hdfslocalcache.shaded.alluxio.client.file.CacheContext;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.CacheManagerOptions;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.DefaultPageMetaStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.LocalCacheManager;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.file.ByteArrayTargetBuffer;
import io.hdfslocalcache.shaded.alluxio.file.ReadTargetBuffer;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * The pages on one SSD, with LRU eviction: Alluxio's manager above our {@link PageDirectory},
 * {@link PageEvictor} and {@link PageFiles}. Reads, writes, adds and removes pages. Operations that
 * change something may block on the SSD, and are monitored.
 */
public final class SsdPages {

  private static final int READ_ATTEMPTS = 3;
  /** Most evictions for one new page. */
  private static final int EVICTION_RETRIES = 64;

  /** Different pages seldom share a lock; a page always has the same one. */
  private static final int WRITING_LOCKS = 256;

  private static final CacheContext CONTEXT = CacheContext.defaults();
  /** Where Alluxio puts nothing: a read through its index only asks for presence. */
  private static final ReadTargetBuffer NOWHERE = new ByteArrayTargetBuffer(new byte[1], 0);

  private final PageFiles files;
  private final SsdIo io;
  private final SsdPresence presence;
  private final Consumer<IOException> onWriteFailure;
  private final Lock[] writing =
      Stream.generate(ReentrantLock::new).limit(WRITING_LOCKS).toArray(Lock[]::new);
  private final PageEvictor evictor = new PageEvictor();
  private final PageDirectory directory;
  private final DefaultPageMetaStore store;
  private final LocalCacheManager manager;

  /**
   * @param root the directory of this DataNode on this SSD
   * @param capacity bytes that pages may take
   * @param pageSize bytes of block data in a page
   * @param files where the bytes of the pages are
   * @param blocks told which pages are there
   * @param memory removes pages that are no longer there
   * @param onWriteFailure called when the SSD could not write
   */
  SsdPages(Path root, long capacity, int pageSize, PageFiles files, BlockIndex blocks,
      MemoryTier memory, SsdIo io, SsdPresence presence, Consumer<IOException> onWriteFailure)
      throws IOException {
    this.files = files;
    this.io = io;
    this.presence = presence;
    this.onWriteFailure = onWriteFailure;
    this.directory = PageDirectory.create(root, capacity, pageSize, files, evictor, blocks, memory);
    this.store = new DefaultPageMetaStore(List.of(directory));
    this.manager = LocalCacheManager.create(new CacheManagerOptions()
        .setPageSize(pageSize)
        .setMaxEvictionRetries(EVICTION_RETRIES)
        // RestoredPages does it: Alluxio accepts neither writes nor deletes while it restores.
        .setAsyncRestoreEnabled(false)
        .setIsAsyncWriteEnabled(false)
        .setQuotaEnabled(false)
        .setTtlEnabled(false), store);
  }

  /** The first use of Alluxio's classes takes 0.1 s, so do it before the first reader. */
  void warmUp(int pageSize) throws IOException {
    PageSlice slice = PageSlice.whole(PageLayout.usual(pageSize, 1), 0);
    StoredPage id = new StoredPage("warm-up", 0, PageEvictor.Owner.NOBODY, slice.parts(), true);
    ByteBuffer content = ByteBuffer
        .allocateDirect(slice.bufferLength() + PageLayout.ALIGNMENT)
        .alignedSlice(PageLayout.ALIGNMENT).limit(slice.bufferLength());
    files.prepare(id, slice, content);
    manager.put(id, content, CONTEXT);
    if (!awaitComing(id) || files.isNameless(id)) {
      throw new IOException("a page that was just written is missing: "
          + files.paths().file(id));
    }
    remove(id);
  }

  private static PageId id(CachedBlock block, int page) {
    return new PageId(block.fileId(), page);
  }

  private static PageNotReadException left(CachedBlock block, int page) {
    return new PageNotReadException("page " + page + " of " + block + " was evicted");
  }

  /** @return the accounting of the space. */
  PageDirectory directory() {
    return directory;
  }

  /** @return the order of eviction. */
  PageEvictor evictor() {
    return evictor;
  }

  /** @return the lock held while pages are added and removed. */
  Lock lock() {
    return store.getLock().writeLock();
  }

  /** @return number of pages. */
  public long count() {
    return store.numPages();
  }

  /** @return whether the page exists. Does not count as a use. */
  public boolean contains(CachedBlock block, int page) {
    return contains(id(block, page));
  }

  /** The same. */
  boolean contains(PageId id) {
    return manager.hasPageUnsafe(id);
  }

  /** @return the pages of this name. */
  List<StoredPage> pagesOf(String fileId) {
    store.getLock().readLock().lock();
    try {
      return store.getAllPagesByFileId(fileId).stream()
          .map(info -> (StoredPage) info.getPageId()).toList();
    } finally {
      store.getLock().readLock().unlock();
    }
  }

  /** @return a page of a block; null if the block knows none of this number. */
  private static StoredPage page(CachedBlock block, int number) {
    return (StoredPage) block.page(number);
  }

  /**
   * Reads a part of a page's file, which counts as a use of the page. Waits for the SSD: call only
   * in its threads.
   *
   * @param buffer in direct memory, aligned for direct I/O, large enough for the slice
   * @throws PageNotReadException if there is no such page
   * @throws DamagedPageException if the file is missing or too short
   * @throws IOException if the SSD fails
   */
  public void read(CachedBlock block, PageSlice slice, ByteBuffer buffer) throws IOException {
    StoredPage page = page(block, slice.page());
    for (int attempt = 1; page != null; attempt++) {
      page.use();
      try {
        files.read(page, slice, buffer);
        return;
      } catch (NoSuchFileException e) {
        // Evicted between the two steps, or on its way in: then the next attempt waits until it is
        // there. No other does: a lock of Alluxio's is held while some page's file is deleted.
        if (attempt == READ_ATTEMPTS) {
          throw whyMissing(page, e);
        }
        awaitComing(page);
        page = page(block, slice.page());
      }
    }
    throw left(block, slice.page());
  }

  /** Waits for a page on its way in. @return whether it is there */
  private boolean awaitComing(PageId id) {
    return manager.get(id, 0, 1, NOWHERE, CONTEXT) > 0;
  }

  /** @return why a page in the index has no file. */
  private IOException whyMissing(PageId id, NoSuchFileException missing) {
    if (files.isNameless(id)) {
      return new PageNotReadException("it has no file");
    }
    if (!presence.check()) {
      return new SsdUnavailableException("the SSD is down: " + io.health().reason());
    }
    return new DamagedPageException(
        "the file of a page is missing: " + files.paths().file(id), missing);
  }

  /** @return the lock for writing to a page. */
  public Lock writing(CachedBlock block, int page) {
    return writing[Math.floorMod(id(block, page).hashCode(), WRITING_LOCKS)];
  }

  /**
   * Writes the first parts of a page to the SSD. They are not found before they are {@link
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
   * Writes more parts to the file of a page. They are not found before they are {@link
   * #publishMore published}. No other thread may write to the same page.
   *
   * @param slice whole parts of the page
   * @param parts the missing parts to write
   * @param buffer of the slice
   * @throws PageNotReadException if the page was evicted meanwhile
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
      io.watch(Operation.PAGE_WRITE, SsdIo.Io.of(writing));
    } catch (NoSuchFileException e) {
      // The page was evicted, unless the directory is missing.
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
   * @param owner its account; null: none
   * @param wasMissedBefore as {@link StoredPage#wasMissedBefore}
   * @return false if no page could be evicted, or the SSD failed
   */
  public boolean publish(CachedBlock block, PageSlice slice, ByteBuffer buffer, PageEvictor.Owner owner,
      boolean wasMissedBefore) {
    // Alluxio counts the space that the file takes, not its length.
    ByteBuffer accountedFor = buffer.duplicate().clear();
    accountedFor.limit((int) Math.min(
        accountedFor.capacity(), block.layout().space(slice.page(), slice.parts())));
    StoredPage page = new StoredPage(
        block, slice.page(), owner == null ? PageEvictor.Owner.NOBODY : owner, slice.parts(),
        wasMissedBefore);
    boolean added = watched(Operation.PAGE_WRITE, () -> manager.put(page, accountedFor, CONTEXT));
    if (files.isNameless(page)) {
      remove(page);
      files.forgetNameless(page);
      return false;
    }
    return added;
  }

  /**
   * Publishes parts written to the file of a page, and evicts other pages if there is no room.
   *
   * @return false if the page was removed, or no page could be evicted
   */
  public boolean publishMore(CachedBlock block, int page, int parts) {
    StoredPage growing = page(block, page);
    for (int i = 0; i < EVICTION_RETRIES && growing != null && growing.isThere(); i++) {
      if (growIfThereIsRoom(block, growing, parts)) {
        return true;
      }
      evictOne();
    }
    return false;
  }

  /** Adds parts to a page. @return false if there is no room, or the page has left */
  private boolean growIfThereIsRoom(CachedBlock block, StoredPage page, int parts) {
    // Others take room at the same time.
    lock().lock();
    try {
      long more = Math.max(0, block.layout().space(
          page.number(), block.parts(page.number()) | parts) - page.bytes());
      return directory.getCachedBytes() + more <= directory.getCapacityBytes()
          && directory.grow(page, parts, more);
    } finally {
      lock().unlock();
    }
  }

  /** Evicts the next page. @return false if there is none */
  boolean evictOne() {
    PageId oldest = evictor.evict();
    if (oldest != null) {
      watched(Operation.PAGE_DELETE, () -> manager.delete(oldest));
    }
    return oldest != null;
  }

  /** Removes a prepared page, unless it was published. */
  public void discard(CachedBlock block, int page) throws IOException {
    files.discard(id(block, page));
  }

  /** @return the owner of a page; null if there is no such page. */
  public PageEvictor.Owner ownerOf(CachedBlock block, int page) {
    StoredPage found = page(block, page);
    return found == null ? null : found.owner();
  }

  /**
   * Updates the owners of pages.
   *
   * @param pages that are here
   * @param ownerOf given a page and its previous owner, returns the present one
   */
  public void assignOwners(
      List<CachedPage> pages, BiFunction<StoredPage, PageEvictor.Owner, PageEvictor.Owner> ownerOf) {
    evictor.assign(pages.stream().map(page -> (StoredPage) page).toList(), ownerOf);
  }

  /**
   * Evicts the least recently used page of some owners; pinned ones only if there are no others.
   *
   * @return its owner, or null if they have no page here
   */
  public PageEvictor.Owner evictOneOf(Predicate<PageEvictor.Owner> owners) {
    StoredPage oldest = evictor.oldestOf(owners);
    if (oldest == null) {
      return null;
    }
    PageEvictor.Owner owner = oldest.owner();
    watched(Operation.PAGE_DELETE, () -> manager.delete(oldest));
    return owner;
  }

  /** @return bytes of an owner's pages here. */
  public long bytesOf(PageEvictor.Owner owner) {
    return evictor.bytesOf(owner);
  }

  /**
   * Removes all pages of a block. Waits for the SSD to unlink them: not for a reader's thread.
   *
   * @return the number of pages that were removed
   */
  public int removeBlock(CachedBlock block) {
    return removeAll(block.fileId(), block);
  }

  /** Removes the pages of this name that belong to no block, like {@link #removeBlock}. */
  public int removeUnknown(String fileId) {
    return removeAll(fileId, null);
  }

  /** A later block of the same name keeps its pages. @param block null: none */
  private int removeAll(String fileId, CachedBlock block) {
    return watched(Operation.PAGE_DELETE, () -> (int) pagesOf(fileId).stream()
        .filter(page -> page.block() == block || page.block() == null)
        .filter(this::invalidate).count());
  }

  /** Removes a page that a block knows, or knew. */
  public void removePage(CachedPage page) {
    StoredPage stored = (StoredPage) page;
    // A later one of its name stays.
    if (stored.isThere()) {
      remove(stored);
    }
  }

  /** Removes a page. */
  void remove(StoredPage page) {
    watched(Operation.PAGE_DELETE, () -> invalidate(page));
  }

  /** Removes a page without counting an eviction. @return whether its file is deleted */
  private boolean invalidate(StoredPage page) {
    page.invalidate();
    manager.delete(page);
    return page.isFileDeleted();
  }

  /** Adds a restored page. Call with the {@link #lock}. */
  void addRestored(PageId id, long space, int parts) {
    directory.addRestored(store, id, space, parts);
  }

  /** Forgets all pages. Their files may exist: restoring will find them. */
  void forgetAll() {
    directory.forgetAll(store);
  }

  /** Stops adding and removing pages. */
  void close() throws Exception {
    manager.close();
  }

  private <T> T watched(Operation operation, SsdIo.Io<T> change) {
    try {
      return io.watch(operation, change);
    } catch (IOException e) {
      throw new IllegalStateException("Alluxio's index throws none", e);
    }
  }
}

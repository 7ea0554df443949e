/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.hdfslocalcache.plugin.health.HealthWatch;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.health.SsdProbe;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.health.SsdUnavailableException;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.shaded.alluxio.client.file.CacheContext;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.CacheManagerOptions;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.DefaultPageMetaStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.LocalCacheManager;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.file.ByteArrayTargetBuffer;
import io.hdfslocalcache.shaded.alluxio.file.ReadTargetBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pages on one SSD: which there are, which has to leave when the capacity is reached (LRU), and
 * their files. Belongs to one DataNode, which it keeps apart from others by a subdirectory named
 * after the datanode UUID.
 */
public final class SsdDirectory implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(SsdDirectory.class);
  private static final CacheContext CONTEXT = CacheContext.defaults();
  private static final int EVICTION_RETRIES = 64;
  private static final int READ_ATTEMPTS = 3;
  /** Where Alluxio puts nothing: a read through its index only asks for presence, and renews it. */
  private static final ReadTargetBuffer NOWHERE = new ByteArrayTargetBuffer(new byte[1], 0);

  /**
   * What an SSD directory may take.
   *
   * @param capacity bytes that page files may take
   * @param reserved bytes to be kept free on the file system
   * @param pageSize bytes of block data in a page
   */
  public record Limits(long capacity, long reserved, int pageSize) {
  }

  private final Path configured;
  private final SsdHome home;
  private final SsdPresence presence;
  private final PageFiles files;
  private final PageDirectory directory;
  private final PageEvictor evictor = new PageEvictor();
  private final DefaultPageMetaStore store;
  private final LocalCacheManager manager;
  private volatile RestoredPages restored;
  /** Told when pages that are there are to be restored once more. */
  private volatile Consumer<SsdDirectory> onReturn = ssd -> { };
  private final Path root;
  private final SpaceKeeper space;
  private final int pageSize;
  /** With less than this, others have filled the disk, and nothing can be evicted for a page. */
  private final long minCapacity;
  private final SsdIo io;
  private final SsdProbe probe;
  /** Pages that this thread's present invalidation has removed; null in all other threads. */
  private final ThreadLocal<AtomicInteger> invalidated = new ThreadLocal<>();

  private SsdDirectory(Path configured, SsdHome home, Limits limits, SsdIo io,
      PageListener listener) throws IOException {
    this.pageSize = limits.pageSize();
    this.configured = configured;
    this.io = io;
    this.home = home;
    this.root = home.root();
    this.minCapacity = 2L * pageSize;
    this.presence = new SsdPresence(home, io, this::back);
    this.space = new SpaceKeeper(configured.toString(), new Space(), limits.capacity(),
        limits.reserved(), System::nanoTime);
    this.files =
        new PageFiles(root, pageSize, id -> deleted(id, listener), presence::check,
            (operation, error) -> {
              failed(operation, error);
              listener.failed(operation, error);
            });
    this.probe = new SsdProbe(root.resolve(PageFiles.TEMPORARY));
    this.directory = PageDirectory.create(
        root, limits.capacity(), pageSize, files, evictor, listener);
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
    this.restored = newRestoredPages();
    warmUp();
  }

  private RestoredPages newRestoredPages() {
    return new RestoredPages(this, root, pageSize, files, directory, store);
  }

  /** The first use of Alluxio's classes takes 0.1 s, for which no reader shall wait. */
  private void warmUp() throws IOException {
    PageId id = new PageId("warm-up", 0);
    PageSlice slice = PageSlice.whole(PageLayout.usual(pageSize, 1), 0);
    ByteBuffer content = ByteBuffer
        .allocateDirect(slice.bufferLength() + PageLayout.ALIGNMENT)
        .alignedSlice(PageLayout.ALIGNMENT).limit(slice.bufferLength());
    files.prepare(id, slice, content);
    manager.put(id, content, CONTEXT);
    if (manager.get(id, 0, 1, NOWHERE, CONTEXT) != 1 || files.isNameless(id)) {
      throw new IOException("a page that was just written is not there: " + files.pathOf(id));
    }
    removeBlock(id.getFileId());
  }

  /**
   * Takes possession of this DataNode's part of a configured directory. Pages that are there are
   * not found before they are {@link #restored restored}.
   *
   * @param configured the directory in the configuration, which has to be there
   * @param datanodeUuid whose pages these are
   * @param limits how much it may take
   * @param restore whether to keep the pages that are there, or to clear the directory
   * @param io the way to this SSD; closed with the directory
   * @param listener told which pages come and go
   * @throws IOException if another DataNode uses it, or the SSD fails
   */
  public static SsdDirectory open(Path configured, String datanodeUuid, Limits limits,
      boolean restore, SsdIo io, PageListener listener) throws IOException {
    SsdHome home = SsdHome.enter(configured, datanodeUuid, limits.pageSize(), restore);
    try {
      return new SsdDirectory(configured, home, limits, io, listener);
    } catch (IOException | RuntimeException | Error e) {
      home.close();
      throw e;
    }
  }

  /** @return whether the directory is there. May wait for the SSD. */
  boolean isThere() {
    return presence.check();
  }

  /** @return whether the page is there. Does not count as a use of it. */
  public boolean contains(CachedBlock block, int page) {
    return manager.hasPageUnsafe(new PageId(block.fileId(), page));
  }

  /** A page has been read from memory, which is a use of it. Waits for nobody. */
  public void used(CachedBlock block, int page) {
    evictor.updateOnGet(new PageId(block.fileId(), page));
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
    PageId id = new PageId(block.fileId(), slice.page());
    for (int attempt = 1; manager.get(id, 0, 1, NOWHERE, CONTEXT) > 0; attempt++) {
      try {
        files.read(id, slice, buffer);
        return;
      } catch (NoSuchFileException e) {
        // Evicted between the two steps, and perhaps on its way in again. The first step waits
        // until a page on its way in is there.
        if (attempt == READ_ATTEMPTS) {
          if (files.isNameless(id)) {
            throw new PageNotReadException("it has no file");
          }
          if (!presence.check()) {
            throw new SsdUnavailableException("the SSD is down: " + io.health().reason());
          }
          throw new DamagedPageException("the file of a page is gone: " + files.pathOf(id), e);
        }
      }
    }
    throw new PageNotReadException("page " + slice.page() + " of " + block + " has left");
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
    write(() -> files.prepare(new PageId(block.fileId(), slice.page()), slice, buffer));
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
    PageId id = new PageId(block.fileId(), slice.page());
    try {
      write(() -> files.extend(id, slice, parts, block.parts(slice.page()) | parts, buffer));
    } catch (NoSuchFileException e) {
      throw new PageNotReadException("page " + slice.page() + " of " + block + " has left");
    }
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void write(Writing writing) throws IOException {
    try {
      io.watch(Operation.PAGE_WRITE, () -> {
        writing.run();
        return null;
      });
    } catch (NoSuchFileException e) {
      // The page has been evicted, unless the directory is gone.
      presence.check();
      throw e;
    } catch (IOException e) {
      failed(Operation.PAGE_WRITE, e);
      throw e;
    }
  }

  /** If the directory is gone, that explains the error. */
  private void failed(Operation operation, IOException error) {
    if (presence.check()) {
      io.health().failed(operation, error);
      space.failed(error);
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
        accountedFor.capacity(), space(block, slice.page(), slice.parts())));
    evictor.willAdd(owner, slice.parts());
    PageId id = new PageId(block.fileId(), slice.page());
    try {
      boolean added = io.watch(
          Operation.PAGE_WRITE, () -> manager.put(id, accountedFor, CONTEXT));
      if (files.isNameless(id)) {
        removePage(block.fileId(), slice.page());
        files.forgetNameless(id);
        return false;
      }
      return added;
    } catch (IOException e) {
      throw new IllegalStateException("Alluxio's index throws none", e);
    } finally {
      evictor.addedAll();
    }
  }

  /** @return on whose account a page is; null if it is not there. */
  public PageOwner ownerOf(CachedBlock block, int page) {
    return evictor.owner(new PageId(block.fileId(), page));
  }

  private long space(CachedBlock block, int page, int parts) {
    return block.layout().space(page, parts);
  }

  /**
   * Adds parts that were written to the file of a page, and evicts other pages if there is no room.
   *
   * @return false if the page has left, or no room could be made
   */
  public boolean publishMore(CachedBlock block, int page, int parts) {
    PageId id = new PageId(block.fileId(), page);
    try {
      for (int i = 0; i < EVICTION_RETRIES && evictor.contains(id); i++) {
        if (growIfThereIsRoom(block, id, parts)) {
          return true;
        }
        PageId oldest = evictor.evict();
        if (oldest != null) {
          io.watch(Operation.PAGE_DELETE, () -> manager.delete(oldest));
        }
      }
      return false;
    } catch (IOException e) {
      throw new IllegalStateException("Alluxio's index throws none", e);
    }
  }

  private boolean growIfThereIsRoom(CachedBlock block, PageId id, int parts) {
    // Others take room at the same time.
    store.getLock().writeLock().lock();
    try {
      int page = (int) id.getPageIndex();
      long more = Math.max(
          0, space(block, page, block.parts(page) | parts) - evictor.bytes(id));
      return directory.getCachedBytes() + more <= directory.getCapacityBytes()
          && directory.grow(id, parts, more);
    } finally {
      store.getLock().writeLock().unlock();
    }
  }

  /**
   * Evicts, of the pages of some owners, the one that was not used for the longest time; no pinned
   * one while there are others.
   *
   * @return whose it was, or null if they have no page here
   */
  public PageOwner evictOneOf(Predicate<PageOwner> owners) throws IOException {
    PageEvictor.Victim oldest = evictor.oldestOf(owners);
    if (oldest == null) {
      return null;
    }
    io.watch(Operation.PAGE_DELETE, () -> manager.delete(oldest.id()));
    return oldest.owner();
  }

  /**
   * Asks for every page whose it is.
   *
   * @param ownerOf given the file id of the page's block, and whose the page was, returns the owner
   */
  public void assignOwners(BiFunction<String, PageOwner, PageOwner> ownerOf) {
    evictor.assign(ownerOf);
  }

  /** Removes what is left of a prepared page that was not published; nothing if it was. */
  public void discard(CachedBlock block, int page) throws IOException {
    files.discard(new PageId(block.fileId(), page));
  }

  private void deleted(PageId id, PageListener listener) {
    AtomicInteger pages = invalidated.get();
    if (pages != null) {
      pages.incrementAndGet();
    } else {
      listener.pageEvicted(id.getFileId(), id.getPageIndex());
      if (evictor.lastLeftUnread()) {
        listener.evictedWithoutRead();
      }
    }
  }

  /**
   * Removes all pages of a block. Takes as long as the SSD needs to unlink them: not for a
   * reader's thread.
   *
   * @return the number of pages that were removed
   */
  public int removeBlock(String fileId) {
    return invalidate(() -> manager.deleteFile(fileId));
  }

  /** Removes one page. */
  public void removePage(String fileId, int page) {
    invalidate(() -> manager.delete(new PageId(fileId, page)));
  }

  private int invalidate(Runnable removal) {
    AtomicInteger pages = new AtomicInteger();
    invalidated.set(pages);
    try {
      io.watch(Operation.PAGE_DELETE, () -> {
        removal.run();
        return null;
      });
    } catch (IOException e) {
      throw new IllegalStateException("Alluxio's index throws none", e);
    } finally {
      invalidated.remove();
    }
    return pages.get();
  }

  /** @return the way to this SSD for what may block, and its health. */
  public SsdIo io() {
    return io;
  }

  /** @return what has to be looked after. */
  HealthWatch.Watched watched() {
    return new HealthWatch.Watched(configured.toString(), io, () -> {
      presence.goOn();
      probe.run();
    });
  }

  /** @return the directory as configured. */
  public Path path() {
    return configured;
  }

  /** @return a file of this DataNode's, beside its pages. */
  public Path own(String name) {
    return root.resolve(name);
  }

  /** @return bytes that page files take. */
  public long usedBytes() {
    return directory.getCachedBytes();
  }

  /** @return number of pages. */
  public long pages() {
    return directory.pages();
  }

  /** @return bytes that page files may take. */
  public long capacityBytes() {
    return directory.getCapacityBytes();
  }

  /** @return whether there is space to write a page, as far as known. */
  public boolean hasRoom() {
    return !space.isFull() && directory.getCapacityBytes() >= minCapacity;
  }

  /** Changes what page files may take. Of what is too much, pages leave in the background. */
  void setCapacity(long bytes) {
    space.setConfigured(bytes);
  }

  /** Adapts the capacity to the space that others leave on the SSD. */
  void checkSpace(BooleanSupplier stop) {
    space.check(stop);
  }

  /** Has somebody told when the directory was gone and is back, and its pages are to be restored. */
  void onReturn(Consumer<SsdDirectory> listener) {
    onReturn = listener;
  }

  private void back() {
    directory.forgetAll(store);
    restored = newRestoredPages();
    onReturn.accept(this);
  }

  /** Tries once more to delete files that could not be deleted, if the SSD is well. */
  void deleteAgain() {
    if (io.health().state() == SsdState.NORMAL) {
      files.deleteAgain(store.getLock().writeLock(), store::hasPage);
    }
  }

  /** The SSD as the one who watches over its space sees it. */
  private final class Space implements SpaceKeeper.Ssd {

    @Override
    public long usableBytes() throws IOException {
      try {
        return Files.getFileStore(root).getUsableSpace();
      } finally {
        // Afterwards: if it is there now, it was what was measured.
        requireThere();
      }
    }

    private void requireThere() throws IOException {
      if (!presence.check()) {
        throw new NoSuchFileException(root.toString());
      }
    }

    @Override
    public long usedBytes() {
      return directory.getCachedBytes();
    }

    @Override
    public void setCapacity(long bytes) {
      directory.setCapacity(bytes);
    }

    @Override
    public boolean evictOne() {
      PageId oldest = evictor.evict();
      if (oldest != null) {
        manager.delete(oldest);
      }
      return oldest != null;
    }
  }

  /** @return the pages that were there when the directory was opened. */
  public RestoredPages restored() {
    return restored;
  }

  /** Writes down in which order the blocks were used, for the next start, if the SSD answers. */
  public void saveOrder() {
    if (restored.hasBegun() && io.health().mayRead()) {
      try {
        List<String> newestFirst = evictor.blocksNewestFirst();
        newestFirst.addAll(restored.remaining());
        EvictionOrder.write(root, newestFirst);
      } catch (IOException e) {
        LOG.warn("Local cache: the order of eviction in {} is not kept for the next start",
            configured, e);
      }
    }
  }

  /** Closes all files and gives the directory free. The pages stay for the next start. */
  @Override
  public void close() throws IOException {
    saveOrder();
    try {
      manager.close();
    } catch (Exception e) {
      throw new IOException("closing the page index of " + configured, e);
    } finally {
      home.close();
      io.close();
    }
  }
}

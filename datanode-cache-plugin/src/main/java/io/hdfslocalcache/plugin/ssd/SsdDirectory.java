/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.health.Rounds;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.health.SsdUnavailableException;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.index.CachedPage;
import io.hdfslocalcache.plugin.index.Removals;
import io.hdfslocalcache.plugin.index.Ssd;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.file.PageFiles;
import io.hdfslocalcache.plugin.ssd.mount.SsdHome;
import io.hdfslocalcache.plugin.ssd.mount.SsdPresence;
import io.hdfslocalcache.plugin.ssd.space.SpaceCheck;
import io.hdfslocalcache.plugin.ssd.space.SpaceKeeper;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.time.TimeAndThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One SSD of a DataNode: its directory, separated from those of other DataNodes by the datanode
 * UUID, the space for pages, and the pages.
 */
public final class SsdDirectory implements Ssd, Closeable {

  /**
   * Limits of an SSD directory.
   *
   * @param disk its file system when it was opened
   * @param capacity bytes that page files may take
   * @param reserved bytes to be kept free on the file system
   * @param pageSize bytes of block data in a page
   */
  public record Limits(SpaceCheck.Disk disk, long capacity, long reserved, int pageSize) {
  }

  private static final Logger LOG = LoggerFactory.getLogger(SsdDirectory.class);
  private static final long UPKEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long UPKEEP_END_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int WRITE_END_SECONDS = 10;
  /** The count of bytes written to the SSD is saved every so many rounds. */
  private static final int SELDOM = 30;

  private final Path configured;
  private final SpaceCheck.Disk disk;
  private final SsdHome home;
  private volatile String remark = "";
  private final SsdPresence presence;
  private final PageFiles files;
  private final SsdPages pages;
  private final SpaceKeeper space;
  private final SsdIo io;
  private final SsdHealth health;
  private final Rounds check;
  private final WriteQueue writes;
  private final Removals removals;
  private volatile SsdWear wear;
  private final MemoryTier memory;
  private final CacheRateLimiter limiter;
  private final LocalCacheMetrics metrics;
  private final int pageSize;
  /** With less than this, other files have filled the disk, and evicting pages does not help. */
  private final long minCapacity;
  private volatile RestoredPages restored;
  private volatile boolean isUsed = true;
  private volatile boolean isClosing;
  /** Null until it starts. */
  private volatile TimeAndThreads.Repetition upkeep;
  /** Told when existing pages must be restored again. */
  private volatile Consumer<SsdDirectory> onReturn = ssd -> { };

  private SsdDirectory(Path configured, SsdHome home, Limits limits, SsdIo io, WriteQueue writes,
      BlockIndex index, MemoryTier memory, CacheRateLimiter limiter, LocalCacheMetrics metrics)
      throws IOException {
    this.configured = configured;
    this.disk = limits.disk();
    this.home = home;
    this.io = io;
    this.health = io.health();
    this.check = new Rounds("checking " + configured, io::check);
    this.writes = writes;
    this.memory = memory;
    this.limiter = limiter;
    this.metrics = metrics;
    this.pageSize = limits.pageSize();
    this.minCapacity = 2L * pageSize;
    this.presence = new SsdPresence(home, io, this::back);
    this.space = new SpaceKeeper(configured.toString(), new Space(), limits.capacity(),
        limits.reserved(), TimeAndThreads.get()::nanoTime);
    this.files = home.files(this::fileDeleted, presence::check, (operation, error) -> {
      failed(operation, error);
      metrics.error(operation, configured, error);
    });
    home.whenTrashIsLeft(files::leftBehind);
    this.wear = new SsdWear(DeviceWrites.of(home.root()), TimeAndThreads.get()::nanoTime);
    this.pages = new SsdPages(home.root(), limits.capacity(), pageSize, files, index, memory,
        io, presence, error -> failed(Operation.PAGE_WRITE, error));
    this.restored = newRestoredPages();
    pages.warmUp(pageSize);
    this.removals = new Removals(
        "local-cache-invalidation", new Place(), TimeAndThreads.get()::nanoTime);
  }

  private RestoredPages newRestoredPages() {
    return new RestoredPages(pages, home.root(), pageSize, files, memory::pagesByBlock);
  }

  /**
   * Opens it. Existing pages are found after they are {@link #restored restored}.
   *
   * @param configured the directory in the configuration
   * @param home this DataNode's part of it; closed with this
   * @param limits its limits
   * @param io does the I/O of this SSD; closed with the directory
   * @param writes its write queue; closed with the directory
   * @param index told which pages are there
   * @param memory removes pages that are no longer there
   * @param limiter told of evictions
   * @throws IOException if the SSD fails; then the part is closed
   */
  public static SsdDirectory open(Path configured, SsdHome home, Limits limits, SsdIo io,
      WriteQueue writes, BlockIndex index, MemoryTier memory, CacheRateLimiter limiter,
      LocalCacheMetrics metrics) throws IOException {
    try {
      return new SsdDirectory(
          configured, home, limits, io, writes, index, memory, limiter, metrics);
    } catch (IOException | RuntimeException | Error e) {
      home.close();
      throw e;
    }
  }

  private void fileDeleted(PageId id) {
    StoredPage page = (StoredPage) id;
    page.fileDeleted();
    if (page.isInvalidated()) {
      return;
    }
    metrics.count(Event.EVICTIONS);
    if (page.hasLeftUnread()) {
      metrics.count(Event.EVICTED_WITHOUT_READ);
    }
    BlockKey key = page.key();
    if (key != null) {
      limiter.evicted(key.blockPoolId(), key.blockId(), page.number());
    }
  }

  /** If the directory is missing, that explains the error. */
  private void failed(Operation operation, IOException error) {
    if (presence.check()) {
      health.failed(operation, error);
      space.failed(error);
    }
  }

  /** @return the SSD of an entry's pages, or null if it is no longer used. */
  public static SsdDirectory of(CachedBlock block) {
    return block.ssd() instanceof SsdDirectory ssd && ssd.isUsed ? ssd : null;
  }

  /** @return whether pages may be read from it now. */
  public boolean mayRead() {
    return health.mayRead();
  }

  /** Reads its saved state, and warns of what is usable, but unwise. May wait for the SSD. */
  void readState(KeptState kept) throws IOException {
    remark = kept.read(this);
    // Last, because an unusable SSD is retried again and again.
    home.tellIfUnwise();
  }

  /** @return whether the directory exists. May wait for the SSD. */
  boolean isThere() {
    return presence.check();
  }

  /** @return its pages. */
  public SsdPages pages() {
    return pages;
  }

  /** @return the I/O of this SSD, and its health. */
  public SsdIo io() {
    return io;
  }

  /** @return its write queue. */
  public WriteQueue writes() {
    return writes;
  }

  /** @return the removal of the pages of killed blocks. */
  public Removals removals() {
    return removals;
  }

  /**
   * A page could not be read: counts the error, and removes the page soon if the SSD is to blame.
   * Called once for each read, not by those who wait for it. Returns at once.
   */
  public void readFailed(CachedBlock block, int page, Throwable error) {
    if (error instanceof PageNotReadException || error instanceof SsdUnavailableException) {
      return;
    }
    metrics.error(Operation.PAGE_READ, configured, error);
    health.failed(Operation.PAGE_READ, error);
    ErrorCause cause = ErrorCause.of(error);
    if (!cause.isOfDisk()) {
      // The page is still valid.
      return;
    }
    if (cause == ErrorCause.DAMAGED) {
      metrics.count(Event.DAMAGED_PAGES);
    }
    CachedPage unusable = block.page(page);
    if (unusable != null && block.remove(unusable)) {
      removals.execute(() -> pages.removePage(unusable));
    }
  }

  /** The SSD as a place of killed blocks' pages. */
  private final class Place implements Removals.Place {

    @Override
    public int removePages(CachedBlock block) {
      // A thread that publishes a page of the block holds the lock; later ones see that it is dead.
      block.adding().lock();
      try {
        return pages.removeBlock(block);
      } finally {
        block.adding().unlock();
      }
    }

    @Override
    public void removed(CachedBlock block, int number, String why, long millis) {
      metrics.add(Event.INVALIDATED_PAGES, number);
      LOG.debug("Local cache: removed {} pages of {}: {}; {} ms after the change",
          number, block.snapshot(), why, millis);
    }

    @Override
    public void failed(Throwable why) {
      metrics.error(Operation.PAGE_DELETE, configured, why);
    }

    @Override
    public boolean isThere() {
      return mayRead();
    }
  }

  /** Finds operations that hang. To be called every {@link SsdIo#TICK_MILLIS} ms. */
  void check() {
    check.run();
  }

  /** Tests an SSD that is not normal. @return nanoseconds of a read */
  long probe(LongSupplier nanoClock, long readsNanos) throws IOException {
    presence.goOn();
    return home.probe(nanoClock, readsNanos);
  }

  /** Stops using the SSD. Readers continue from the replica. */
  void useNoMore() {
    isUsed = false;
  }

  @Override
  public Path path() {
    return configured;
  }

  /** @return what an operator should know of it, although it works; empty if nothing. */
  String remark() {
    return remark;
  }

  /** @return this DataNode's part of it. */
  public Path root() {
    return home.root();
  }

  /** @return the file system when it was opened. */
  SpaceCheck.Disk disk() {
    return disk;
  }

  /** @return bytes that page files take. */
  public long usedBytes() {
    return pages.directory().getCachedBytes();
  }

  /** @return bytes that page files may take. */
  public long capacityBytes() {
    return pages.directory().getCapacityBytes();
  }

  /** @return the configured capacity, which holds while other files leave enough space. */
  long configuredBytes() {
    return space.configured();
  }

  /** @return whether a write found no space a moment ago, though bytes are free. */
  boolean foundNoSpace() {
    return space.isHeld();
  }

  /** @return the bytes written to it. */
  public SsdWear wear() {
    return wear;
  }

  /** @return whether there is space to write a page, as far as known. */
  public boolean hasRoom() {
    return !space.isFull() && hasSpace();
  }

  /** @return whether other files leave space for pages. */
  boolean hasSpace() {
    return capacityBytes() >= minCapacity;
  }

  /**
   * Tells whether it keeps up with reads and writes, so that a reader may fill a page. Otherwise what
   * is read for the page would be dropped, or slow down other reads.
   */
  public boolean keepsUp() {
    return !io.health().isSlow() && writes.hasRoom(pageSize);
  }

  /** Changes the capacity. Excess pages are evicted in the background. */
  void setCapacity(long bytes) {
    space.setConfigured(bytes);
  }

  /**
   * Starts probing the SSD while it is not normal, watching the space, and retrying failed
   * deletions, in a thread that may hang with the SSD.
   *
   * @param trim evicts some pages beyond their quotas
   * @param keepWear is run from time to time to save the count of bytes written to the SSD
   */
  void beginUpkeep(Runnable trim, Runnable keepWear) {
    String name = "local-cache-upkeep-" + configured;
    AtomicInteger round = new AtomicInteger();
    upkeep = TimeAndThreads.get().repeat(name, UPKEEP_NANOS,
        new Rounds("the upkeep of an SSD (" + name + ")", () -> {
          io.probeIfDue(this::probe);
          checkSpace();
          if (mayRead() && !isClosing) {
            trim.run();
          }
          wear.sample();
          deleteAgain();
          if (round.incrementAndGet() % SELDOM == 0) {
            keepWear.run();
          }
        }));
  }

  /**
   * Stops writing and removing, as far as the SSD answers. Queued writes are dropped, queued
   * removals are done at the next start.
   */
  void endWork() {
    writes.close();
    removals.close();
    writes.awaitEnd(mayRead() ? WRITE_END_SECONDS : 1);
  }

  private void endUpkeep() {
    // Not interrupted, because an interrupt would close files that readers share.
    isClosing = true;
    if (upkeep != null) {
      upkeep.stop();
      try {
        upkeep.await(UPKEEP_END_NANOS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** @return whether there may be pages that are not restored yet. */
  boolean isRestoring() {
    return home.keepsPages() && !restored.isOver();
  }

  /** Adapts the capacity to the space that other files leave on the SSD. */
  void checkSpace() {
    // Pages to be restored take an unknown amount of space.
    if (!isRestoring()) {
      space.check(() -> isClosing);
    }
  }

  /** Registers a listener that is called when a lost directory reappears and must be restored. */
  void onReturn(Consumer<SsdDirectory> listener) {
    onReturn = listener;
  }

  private void back() {
    // First: until all are restored, files without a page are not deleted.
    restored = newRestoredPages();
    // It may be another SSD.
    wear = wear.ofAnother(DeviceWrites.of(home.root()));
    pages.forgetAll();
    onReturn.accept(this);
  }

  /**
   * Retries to delete files that could not be deleted, if the SSD works and all its pages are
   * restored.
   */
  void deleteAgain() {
    files.deleteAgain(pages.lock(), id -> pages.contains(id) || !restored.isOver(),
        () -> health.state() == SsdState.NORMAL && restored.isOver() && !isClosing);
  }

  /** @return number of files of removed pages that could not be deleted, as far as known. */
  public long undeletedFiles() {
    return files.undeletedFiles();
  }

  /** @return milliseconds since the first failed deletion; 0 if none. */
  public long undeletedMillis() {
    return files.undeletedMillis();
  }

  /** The SSD as seen by the space keeper. */
  private final class Space implements SpaceKeeper.Ssd {

    @Override
    public long usableBytes() throws IOException {
      try {
        return home.usableBytes();
      } finally {
        // Checked afterwards: if the directory exists now, it is the one that was measured.
        requireThere();
      }
    }

    private void requireThere() throws IOException {
      if (!presence.check()) {
        throw new NoSuchFileException(home.root().toString());
      }
    }

    @Override
    public long usedBytes() {
      return pages.directory().getCachedBytes();
    }

    @Override
    public void setCapacity(long bytes) {
      // Pages that are not restored yet need it: else they would be deleted at once.
      pages.directory().setCapacity(isRestoring() ? Math.max(bytes, capacityBytes()) : bytes);
    }

    @Override
    public boolean evictOne() {
      return pages.evictOne();
    }
  }

  /** @return the pages that existed when the directory was opened. */
  public RestoredPages restored() {
    return restored;
  }

  /** Saves what the next start needs, if the SSD answers. */
  public void keep() {
    if (mayRead()) {
      restored.keepOrder();
    }
  }

  /**
   * Closes it while the DataNode continues without it: listeners are told that its pages are gone.
   * Their files stay.
   */
  void leave() throws IOException {
    endWork();
    endUpkeep();
    keep();
    pages.forgetAll();
    closeFiles();
  }

  /** Closes all files and releases the directory. The pages stay for the next start. */
  @Override
  public void close() throws IOException {
    endWork();
    endUpkeep();
    keep();
    closeFiles();
  }

  private void closeFiles() throws IOException {
    presence.end();
    try {
      pages.close();
    } catch (Exception e) {
      throw new IOException("closing the page index of " + configured, e);
    } finally {
      home.close();
      io.close();
    }
  }
}

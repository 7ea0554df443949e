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

import io.hdfslocalcache.plugin.health.HealthWatch;
import io.hdfslocalcache.plugin.health.Rounds;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.index.CachedPage;
import io.hdfslocalcache.plugin.index.Removals;
import io.hdfslocalcache.plugin.index.Ssd;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.file.PageFiles;
import io.hdfslocalcache.plugin.ssd.mount.SsdHome;
import io.hdfslocalcache.plugin.ssd.mount.SsdPresence;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.plugin.ssd.space.SpaceKeeper;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.time.TimeAndThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One SSD of a DataNode: its directory, which it keeps apart from those of other DataNodes by the
 * datanode UUID, the space that pages may take there, and the pages.
 */
public final class SsdDirectory implements Ssd, Closeable {

  /**
   * What an SSD directory may take.
   *
   * @param capacity bytes that page files may take
   * @param reserved bytes to be kept free on the file system
   * @param pageSize bytes of block data in a page
   */
  public record Limits(long capacity, long reserved, int pageSize) {
  }

  private static final Logger LOG = LoggerFactory.getLogger(SsdDirectory.class);
  private static final long UPKEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long UPKEEP_END_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int WRITE_END_SECONDS = 10;
  /** After so many rounds, what has been written to the SSD is kept. */
  private static final int SELDOM = 30;

  private final Path configured;
  private final SsdHome home;
  private final SsdPresence presence;
  private final PageFiles files;
  private final SsdPages pages;
  private final SpaceKeeper space;
  private final SsdIo io;
  private final SsdHealth health;
  private final WriteQueue writes;
  private final Removals removals;
  private volatile SsdWear wear;
  private final PageListener listener;
  private final int pageSize;
  /** With less than this, others have filled the disk, and nothing can be evicted for a page. */
  private final long minCapacity;
  private volatile RestoredPages restored;
  private volatile boolean isUsed = true;
  private volatile boolean isClosing;
  /** Null until it begins. */
  private volatile TimeAndThreads.Repetition upkeep;
  /** Told when pages that are there are to be restored once more. */
  private volatile Consumer<SsdDirectory> onReturn = ssd -> { };

  private SsdDirectory(Path configured, SsdHome home, Limits limits, SsdIo io, WriteQueue writes,
      PageListener listener) throws IOException {
    this.configured = configured;
    this.home = home;
    this.io = io;
    this.health = io.health();
    this.writes = writes;
    this.listener = listener;
    this.pageSize = limits.pageSize();
    this.minCapacity = 2L * pageSize;
    this.presence = new SsdPresence(home, io, this::back);
    this.space = new SpaceKeeper(configured.toString(), new Space(), limits.capacity(),
        limits.reserved(), TimeAndThreads.get()::nanoTime);
    this.files = home.files(this::fileDeleted, presence::check, (operation, error) -> {
      failed(operation, error);
      listener.failed(operation, error);
    });
    home.whenTrashIsLeft(files::leftBehind);
    this.wear = new SsdWear(DeviceWrites.of(home.root()), TimeAndThreads.get()::nanoTime);
    this.pages = new SsdPages(home.root(), limits.capacity(), pageSize, files, listener, io,
        presence, error -> failed(Operation.PAGE_WRITE, error));
    this.restored = newRestoredPages();
    pages.warmUp(pageSize);
    this.removals = new Removals(
        "local-cache-invalidation", new Place(), TimeAndThreads.get()::nanoTime);
  }

  private RestoredPages newRestoredPages() {
    return new RestoredPages(pages, home.root(), pageSize, files, listener::pagesInMemory);
  }

  /**
   * Opens it. Pages that are there are not found before they are {@link #restored restored}.
   *
   * @param configured the directory in the configuration
   * @param home this DataNode's part of it; closed with this
   * @param limits how much it may take
   * @param io the way to this SSD; closed with the directory
   * @param writes what is to be written to it; closed with the directory
   * @param listener told which pages come and go
   * @throws IOException if the SSD fails; then the part is closed
   */
  public static SsdDirectory open(Path configured, SsdHome home, Limits limits, SsdIo io,
      WriteQueue writes, PageListener listener) throws IOException {
    try {
      return new SsdDirectory(configured, home, limits, io, writes, listener);
    } catch (IOException | RuntimeException | Error e) {
      home.close();
      throw e;
    }
  }

  private void fileDeleted(PageId id) {
    pages.fileDeleted(id);
  }

  /** If the directory is gone, that explains the error. */
  private void failed(Operation operation, IOException error) {
    if (presence.check()) {
      health.failed(operation, error);
      space.failed(error);
    }
  }

  /** @return the SSD that pages of this entry are on, or null if it is not used any more. */
  public static SsdDirectory of(CachedBlock block) {
    return block.ssd() instanceof SsdDirectory ssd && ssd.isUsed ? ssd : null;
  }

  /** @return whether pages may be read from it now. */
  public boolean mayRead() {
    return health.mayRead();
  }

  /** @return whether the directory is there. May wait for the SSD. */
  boolean isThere() {
    return presence.check();
  }

  /** @return what is kept there. */
  public SsdPages pages() {
    return pages;
  }

  /** @return the way to this SSD for what may block, and its health. */
  public SsdIo io() {
    return io;
  }

  /** @return what waits to be written to it. */
  public WriteQueue writes() {
    return writes;
  }

  /** @return what removes the pages of killed blocks. */
  public Removals removals() {
    return removals;
  }

  /** Removes one page that turned out to be damaged, soon. Returns at once. */
  public void removePage(CachedPage page) {
    removals.execute(() -> pages.removePage(page));
  }

  /** The SSD as a place of killed blocks' pages. */
  private final class Place implements Removals.Place {

    @Override
    public int removePages(CachedBlock block) {
      // Whoever is publishing a page of the block has the lock; later ones see that it is dead.
      block.adding().lock();
      try {
        return pages.removeBlock(block);
      } finally {
        block.adding().unlock();
      }
    }

    @Override
    public void removed(CachedBlock block, int number, String why, long millis) {
      listener.blockRemoved(number);
      LOG.info("Local cache: removed {} pages of {}: {}; {} ms after the change",
          number, block.snapshot(), why, millis);
    }

    @Override
    public void failed(Throwable why) {
      listener.failed(Operation.PAGE_DELETE, why);
    }

    @Override
    public boolean isThere() {
      return mayRead();
    }
  }

  /** @return what has to be looked after. */
  HealthWatch.Watched watched() {
    return new HealthWatch.Watched(configured.toString(), io, nanoClock -> {
      presence.goOn();
      return home.probe(nanoClock);
    });
  }

  /** It leaves. Readers go on from the replica. */
  void useNoMore() {
    isUsed = false;
  }

  @Override
  public Path path() {
    return configured;
  }

  /** @return this DataNode's part of it. */
  Path root() {
    return home.root();
  }

  /** @return a file of this DataNode's, beside its pages. */
  public Path own(String name) {
    return home.root().resolve(name);
  }

  /** @return bytes that page files take. */
  public long usedBytes() {
    return pages.directory().getCachedBytes();
  }

  /** @return bytes that page files may take. */
  public long capacityBytes() {
    return pages.directory().getCapacityBytes();
  }

  /** @return the same if others leave enough: the configured share of its file system. */
  long configuredBytes() {
    return space.configured();
  }

  /** @return how much has been written to it. */
  public SsdWear wear() {
    return wear;
  }

  /** @return whether there is space to write a page, as far as known. */
  public boolean hasRoom() {
    return !space.isFull() && pages.directory().getCapacityBytes() >= minCapacity;
  }

  /** Changes what page files may take. Of what is too much, pages leave in the background. */
  void setCapacity(long bytes) {
    space.setConfigured(bytes);
  }

  /**
   * Begins to look after the space, and after what could not be deleted, in a thread that may get stuck
   * with the SSD.
   *
   * @param keepWear is run every now and then: what has been written to the SSD is to be kept
   */
  void beginUpkeep(Runnable keepWear) {
    String name = "local-cache-upkeep-" + configured;
    AtomicInteger round = new AtomicInteger();
    upkeep = TimeAndThreads.get().repeat(name, UPKEEP_NANOS,
        new Rounds("the upkeep of an SSD (" + name + ")", () -> {
          checkSpace();
          wear.sample();
          deleteAgain();
          if (round.incrementAndGet() % SELDOM == 0) {
            keepWear.run();
          }
        }));
  }

  /**
   * Writes and removes no more, as far as it answers. What was to be written is dropped, what was to be
   * removed is cleared at the next start.
   */
  void endWork() {
    writes.close();
    removals.close();
    writes.awaitEnd(mayRead() ? WRITE_END_SECONDS : 1);
  }

  private void endUpkeep() {
    // Without an interrupt, which would close files that readers share.
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

  /** Adapts the capacity to the space that others leave on the SSD. */
  void checkSpace() {
    // Pages that are still to be restored take space, and nobody knows yet how much.
    if (restored.isOver() || !home.keepsPages()) {
      space.check(() -> isClosing);
    }
  }

  /** Has somebody told when the directory was gone and is back, and its pages are to be restored. */
  void onReturn(Consumer<SsdDirectory> listener) {
    onReturn = listener;
  }

  private void back() {
    // First: as long as they are not all restored, files without a page are not deleted.
    restored = newRestoredPages();
    // It may be another SSD.
    wear = wear.ofAnother(DeviceWrites.of(home.root()));
    pages.forgetAll();
    onReturn.accept(this);
  }

  /**
   * Tries once more to delete files that could not be deleted, if the SSD is well and all its pages
   * are restored.
   */
  void deleteAgain() {
    files.deleteAgain(pages.lock(), id -> pages.contains(id) || !restored.isOver(),
        () -> health.state() == SsdState.NORMAL && restored.isOver() && !isClosing);
  }

  /** @return number of files of removed pages that could not be deleted, as far as is known. */
  public long undeletedFiles() {
    return files.undeletedFiles();
  }

  /** @return milliseconds since the first of them could not be deleted; 0 if there is none. */
  public long undeletedMillis() {
    return files.undeletedMillis();
  }

  /** The SSD as the one who watches over its space sees it. */
  private final class Space implements SpaceKeeper.Ssd {

    @Override
    public long usableBytes() throws IOException {
      try {
        return home.usableBytes();
      } finally {
        // Afterwards: if it is there now, it was what was measured.
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
      pages.directory().setCapacity(bytes);
    }

    @Override
    public boolean evictOne() {
      return pages.evictOne();
    }
  }

  /** @return the pages that were there when the directory was opened. */
  public RestoredPages restored() {
    return restored;
  }

  /** Writes down what the next start needs, if the SSD answers. */
  public void keep() {
    if (mayRead()) {
      restored.keepOrder();
    }
  }

  /**
   * Closes it while the DataNode goes on without it: whoever is told of pages hears that they are
   * there no more. Their files stay.
   */
  void leave() throws IOException {
    endWork();
    endUpkeep();
    keep();
    pages.forgetAll();
    closeFiles();
  }

  /** Closes all files and gives the directory free. The pages stay for the next start. */
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

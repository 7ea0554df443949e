/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.index.CachedPage;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;
import io.hdfslocalcache.shaded.com.github.benmanes.caffeine.cache.Cache;
import io.hdfslocalcache.shaded.com.github.benmanes.caffeine.cache.Caffeine;
import io.hdfslocalcache.shaded.com.github.benmanes.caffeine.cache.RemovalCause;
import io.hdfslocalcache.time.TimeAndThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The most-read pages, as files in a tmpfs: verified once when read from the SSD, then sent by
 * {@code sendfile}. When the tier is full, the least-read page is evicted (by Caffeine's
 * W-TinyLFU), so that a scan does not flush the tier.
 *
 * <p>A page's memory and open file are counted from before it is written until the last reader has
 * released it, whether it is still in the tier or not. A page without room is not written. Only
 * pages that nobody reads are evicted, because others would free nothing.
 *
 * <p>A page's file is unlinked after it was created, so a crash leaves nothing behind. Its name
 * cannot be guessed, so that no other user of the tmpfs can create it first. A full or removed
 * tmpfs only costs memory hits.
 */
public final class MemoryTier implements Closeable {

  /** Number of pages that wait to be written: each has a buffer, which a hung tmpfs would keep. */
  private static final int MOST_WAITING = 16;
  private static final Logger LOG = LoggerFactory.getLogger(MemoryTier.class);
  /** Pause after a failed write of a page. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  /** Pages to check for one that nobody reads. Some may have only one part of eight. */
  private static final int CANDIDATES = 16;

  private final Path directory;
  private final BoundedCount used;
  private final BoundedCount files;
  private final BufferPool buffers;
  private final LongSupplier nanoClock;
  private final Cache<CachedPage, TierPage> pages;
  private final SecondTouch touches;
  private final String prefix = "hdfs-local-cache-" + ProcessHandle.current().pid() + "-";
  private final ThreadPoolExecutor thread = TimeAndThreads.get().newPool("local-cache-memory-", 1);
  private volatile long pausedUntil;
  private volatile boolean open;
  /** The file system of the last page written, or of the first to come. */
  private volatile Object device;

  /**
   * Creates an empty tier, which is not {@link #setOpen open}.
   *
   * @param limits its size and directory; size 0 if it is off
   * @param pageSize bytes of data in a page
   */
  public MemoryTier(MemoryLimits limits, int pageSize, BufferPool buffers, LongSupplier nanoClock) {
    this.directory = limits.directory();
    this.used = new BoundedCount(limits.bytes());
    this.files = new BoundedCount(limits.files());
    this.buffers = buffers;
    this.nanoClock = nanoClock;
    this.device = deviceOf(directory);
    this.pausedUntil = nanoClock.getAsLong();
    this.pages = Caffeine.newBuilder()
        .maximumWeight(limits.bytes())
        .weigher((CachedPage key, TierPage page) -> page.bytes())
        .executor(Runnable::run)
        .removalListener((CachedPage key, TierPage page, RemovalCause cause) -> page.close())
        .build();
    this.touches =
        new SecondTouch((int) Math.max(16, Math.min(1 << 20, limits.bytes() / pageSize)));
  }

  /** @return the file system of a file; null if not known. */
  private static Object deviceOf(Path path) {
    try {
      return Files.getAttribute(path, "unix:dev");
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** Opens or closes the tier. Closing frees all pages that no reader holds. */
  public void setOpen(boolean newState) {
    open = newState && capacityBytes() > 0;
    if (!open) {
      pages.invalidateAll();
      pages.cleanUp();
      touches.clear();
    }
  }

  /** @return the page, to be closed by the caller, or null if it is not in memory. */
  public PageBytes find(CachedBlock block, int page) {
    CachedPage key = open ? block.page(page) : null;
    TierPage found = key == null ? null : pages.getIfPresent(key);
    if (found == null) {
      return null;
    }
    if (found.retainFor(block)) {
      return found;
    }
    pages.asMap().remove(key, found);
    return null;
  }

  /** @return whether the page is in memory. Does not count as a use. */
  public boolean has(CachedBlock block, int page) {
    CachedPage key = open ? block.page(page) : null;
    return key != null && pages.asMap().containsKey(key);
  }

  /**
   * Counts a read of a page from its SSD.
   *
   * @param bytes that were read
   * @return whether the page is worth being moved in
   */
  public boolean isWorthMoving(CachedBlock block, int page, int bytes) {
    CachedPage key = isWritable() ? block.page(page) : null;
    return key != null && touches.isWorthMoving(
        key, bytes, block.layout().dataLength(page, block.parts(page)))
        && thread.getQueue().size() < MOST_WAITING;
  }

  /**
   * Moves a page into memory, and replaces its old version. Does nothing if there is no room, if it
   * cannot be written, or if the block has changed.
   *
   * @param parts the page's parts, a bit for each
   * @param content the verified bytes of the page's file
   * @return whether it was written
   */
  public boolean enter(CachedBlock block, int page, int parts, ByteBuffer content) {
    CachedPage key = block.page(page);
    int bytes = block.layout().space(page, parts);
    // Made before anything is taken, which it gives back.
    TierPage written = new TierPage(block, page, parts, bytes, buffers, () -> giveRoom(bytes));
    if (key == null || !makeRoom(bytes)) {
      return false;
    }
    boolean isIn = false;
    try {
      written.consistOf(write(PageSlice.whole(block.layout(), page), parts, content));
      pages.put(key, written);
      isIn = true;
    } catch (IOException e) {
      pausedUntil = nanoClock.getAsLong() + PAUSE_NANOS;
      LOG.warn("Local cache: cannot write pages to {}; trying again in {} s: {}",
          directory, TimeUnit.NANOSECONDS.toSeconds(PAUSE_NANOS), e.toString());
      return false;
    } finally {
      if (!isIn) {
        written.close();
      }
    }
    // An earlier removal did not see it.
    if (!open || block.isDead() || block.page(page) != key) {
      pages.asMap().remove(key, written);
    }
    return true;
  }

  /**
   * Runs what waits for the tmpfs in the tier's thread. A failure ends only the task.
   *
   * @throws RejectedExecutionException if this is closed
   */
  public void execute(Runnable move) {
    thread.submit(move);
  }

  /** Reserves room for a page's file. @return false if there is none, and nothing was reserved */
  private boolean makeRoom(int bytes) {
    if (takeRoom(bytes)) {
      return true;
    }
    Map<CachedPage, TierPage> coldest =
        pages.policy().eviction().orElseThrow().coldest(CANDIDATES);
    for (Map.Entry<CachedPage, TierPage> candidate : coldest.entrySet()) {
      if (!candidate.getValue().isRead()) {
        pages.asMap().remove(candidate.getKey(), candidate.getValue());
        if (takeRoom(bytes)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean takeRoom(int bytes) {
    if (!files.take(1)) {
      return false;
    }
    if (used.take(bytes)) {
      return true;
    }
    files.give(1);
    return false;
  }

  private void giveRoom(int bytes) {
    used.give(bytes);
    files.give(1);
  }

  private FileChannel write(PageSlice page, int parts, ByteBuffer content) throws IOException {
    Path path = directory.resolve(prefix + UUID.randomUUID());
    FileChannel file = PrivateFiles.create(path,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
    try {
      try {
        requireInMemory(path);
      } finally {
        Files.delete(path);
      }
      page.moveParts(parts, content, (position, bytes) -> {
        while (bytes.hasRemaining()) {
          position += file.write(bytes, position);
        }
      });
      return file;
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /** If the tmpfs was unmounted, its directory is on a disk. */
  private void requireInMemory(Path file) throws IOException {
    Object now = deviceOf(file);
    if (now == null || !now.equals(device)) {
      if (!MemoryLimits.isInMemory(file)) {
        throw new IOException("it is no longer in a tmpfs");
      }
      device = now;
    }
  }

  /**
   * The block has changed: frees all its pages that no reader holds.
   *
   * @return number of its pages
   */
  public int remove(CachedBlock block) {
    List<CachedPage> its = block.cachedPages();
    pages.invalidateAll(its);
    return its.size();
  }

  /** The page has changed, or was removed from the SSD. */
  public void remove(CachedPage page) {
    if (capacityBytes() > 0) {
      pages.invalidate(page);
    }
  }

  /** @return bytes of memory of pages, including removed pages that are still being read. */
  public long usedBytes() {
    return used.used();
  }

  /** @return present sizes of the tier and of buffers. */
  public LocalCacheMetricsSource.Memory gauges() {
    return new LocalCacheMetricsSource.Memory(
        pages(), usedBytes(), capacityBytes(), buffers.inUseBytes());
  }

  /** @return its capacity in bytes; 0 if it is off. */
  public long capacityBytes() {
    return used.bound();
  }

  /** @return the numbers of the pages in memory, by {@link CachedBlock#fileId}. */
  public Map<String, List<Integer>> pagesByBlock() {
    Map<String, List<Integer>> byBlock = new HashMap<>();
    pages.asMap().forEach((key, page) -> byBlock.computeIfAbsent(
        page.block().fileId(), first -> new ArrayList<>()).add(key.number()));
    return byBlock;
  }

  private boolean isWritable() {
    return open && nanoClock.getAsLong() - pausedUntil >= 0;
  }

  /** @return whether there is room for a page without evicting another, as far as known. */
  public boolean hasRoomFor(CachedBlock block, int page) {
    return isWritable() && usedBytes() + block.layout().space(page, block.parts(page)) <= capacityBytes();
  }

  /** @return number of pages. */
  public long pages() {
    return pages.estimatedSize();
  }

  @Override
  public void close() {
    thread.shutdown();
    setOpen(false);
  }
}

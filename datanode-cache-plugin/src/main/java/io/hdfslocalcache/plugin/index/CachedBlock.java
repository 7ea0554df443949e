/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.page.PageLayout;

/**
 * A snapshot of a block with pages that are cached or being filled.
 *
 * <p>One number has the dead flag, the count of readers and the count of pages, so they change
 * atomically. A block lives as long as it has readers or pages: removing the last of both ends its
 * life, and so does a {@link #kill}. It is never revived. A fill counts as a reader.
 *
 * <p>Pages are added and removed here under the lock of the page store's index; for readers they
 * are a hint. A thread that adds pages holds the lock of {@link #adding}, and adds none if the
 * block {@link #isDead}; a thread that kills the block takes the lock afterwards and removes all
 * pages.
 *
 * <p>A stock read opens the replica's files when it begins, so it survives a delete or an append
 * meanwhile. A read from pages opens them only when needed. Until then, a dead block that is being
 * read is told {@link #replicaMoved where they went}, and before they are deleted, they are opened
 * and {@link #keepReplica kept}.
 */
public final class CachedBlock {

  /** Parts of the {@link #state}: dead flag, number of readers, number of pages. */
  private static final long DEAD = Long.MIN_VALUE;
  private static final long READER = 1L << Integer.SIZE;
  private static final long PAGE = 1;

  private static final CachedPage[] NO_PAGES = {};

  private final BlockIndex index;
  private final ReplicaSnapshot snapshot;
  private final PageLayout layout;
  private final Ssd ssd;
  private final String fileId;
  /** The pages by their numbers. An array is never changed, but replaced. */
  private final AtomicReference<CachedPage[]> cached = new AtomicReference<>(NO_PAGES);
  private final AtomicLong state = new AtomicLong(READER);
  private final AtomicReference<ReplicaFiles.Opener> moved = new AtomicReference<>();
  private final AtomicReference<ReplicaFiles> kept = new AtomicReference<>();
  /** A lock and not a monitor, because its holder waits for the SSD. */
  private final Lock adding = new ReentrantLock();
  private volatile boolean proven;

  /** Starts with one reader, its creator. */
  CachedBlock(BlockIndex index, ReplicaSnapshot snapshot, PageLayout layout, String fileId,
      boolean proven, Ssd ssd) {
    this.index = index;
    this.snapshot = snapshot;
    this.layout = layout;
    this.ssd = ssd;
    this.fileId = fileId;
    this.proven = proven;
  }

  /** @return the state of the replica that the pages hold. */
  public ReplicaSnapshot snapshot() {
    return snapshot;
  }

  /** @return the layout of the pages. */
  public PageLayout layout() {
    return layout;
  }

  /**
   * @return the SSD of all its pages, even if new blocks go to another SSD by now
   */
  public Ssd ssd() {
    return ssd;
  }

  /** @return the name of the block's pages on the SSD; it identifies their replica. */
  public String fileId() {
    return fileId;
  }

  /**
   * Compares the replica of the pages with the DataNode's. The answer is remembered: from then on,
   * a change of the replica ends the block.
   *
   * @param now the DataNode's replica; read while this block was in the index, or before the
   *     replica's bytes were read to fill it
   * @return whether the pages are of that replica
   */
  public boolean prove(ReplicaIdentity now) {
    if (!proven && fileId.equals(now.fileId(snapshot))) {
      proven = true;
    }
    return proven;
  }

  /**
   * @return whether the pages are known to be of the DataNode's replica. Restored pages must not be
   *     read until {@link #prove} returned true.
   */
  public boolean isProven() {
    return proven;
  }

  /** @return the lock to hold while adding pages, or removing pages of a dead block. */
  public Lock adding() {
    return adding;
  }

  /** @return whether the block changed or is no longer needed. */
  public boolean isDead() {
    return isDead(state.get());
  }

  private static boolean isDead(long state) {
    return state < 0;
  }

  private static boolean isRead(long state) {
    return (state & ~DEAD) >= READER;
  }

  /**
   * Counts a reader, or a fill, which may need the replica of the pages.
   *
   * @return false if the block is dead, and nothing was counted: the replica may be gone already
   */
  public boolean addReader() {
    long before;
    do {
      before = state.get();
      if (isDead(before)) {
        return false;
      }
    } while (!state.compareAndSet(before, before + READER));
    return true;
  }

  /** A counted reader is done. */
  public void removeReader() {
    take(READER);
  }

  /** Removes a reader or a page, and ends the block's life with the last of both. */
  private void take(long what) {
    long before;
    do {
      before = state.get();
    } while (!state.compareAndSet(before, before == what ? DEAD : before - what));
    if (before == what) {
      index.ended(this);
    } else if (isDead(before) && isRead(before) && !isRead(before - what)) {
      forgetReplica();
    }
  }

  /**
   * The replica has changed. Opens nothing: may be called with locks of the DataNode held.
   *
   * @param opener opens the old state from the present place of the files
   */
  public void replicaMoved(ReplicaFiles.Opener opener) {
    moved.updateAndGet(before -> before == null ? opener
        : before.isLast() ? before : opener.since(before));
  }

  /** @return opens the replica's old state; null if the replica never changed. */
  public ReplicaFiles.Opener movedReplica() {
    return moved.get();
  }

  /**
   * The files of the replica are about to be deleted: keeps them open for readers.
   * Opens nothing if nobody reads the block. Waits for the data volume.
   *
   * @throws IOException if it cannot be opened
   */
  public void keepReplica() throws IOException {
    ReplicaFiles.Opener opener = moved.get();
    if (opener == null || kept.get() != null || !isDeadAndRead()) {
      return;
    }
    ReplicaFiles files = opener.open(snapshot);
    if (!kept.compareAndSet(null, files)) {
      files.close();
    } else if (!isDeadAndRead()) {
      releaseReplica();
    }
  }

  private boolean isDeadAndRead() {
    long now = state.get();
    return isDead(now) && isRead(now);
  }

  /** @return the files that were kept, to be closed by the caller, or null. */
  public ReplicaFiles keptReplica() {
    ReplicaFiles files = kept.get();
    return files != null && files.retain() ? files : null;
  }

  /** Nobody reads the dead block any more. */
  private void forgetReplica() {
    index.unread(this);
    releaseReplica();
  }

  private void releaseReplica() {
    ReplicaFiles files = kept.getAndSet(null);
    if (files != null) {
      files.close();
    }
  }

  /** @return number of cached pages. */
  public int pages() {
    return (int) state.get();
  }

  /** @return number of pages with all their parts cached. */
  public int wholePages() {
    return (int) IntStream.range(0, layout.pages())
        .filter(page -> parts(page) == layout.allParts(page)).count();
  }

  /** @return the pages of which parts are cached, by their numbers. */
  public List<CachedPage> cachedPages() {
    return List.of(cached.get());
  }

  /** @return a page; null if no part of it is cached. */
  public CachedPage page(int number) {
    CachedPage[] pages = cached.get();
    int at = find(pages, number);
    return at < 0 ? null : pages[at];
  }

  /** @return index of the page of this number, or the complement of its insertion point. */
  private static int find(CachedPage[] pages, int number) {
    int from = 0;
    int to = pages.length;
    while (from < to) {
      int middle = from + to >>> 1;
      int there = pages[middle].number();
      if (there == number) {
        return middle;
      }
      if (there < number) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return ~from;
  }

  /** @return the parts of a page that are cached, a bit for each. */
  public int parts(int page) {
    CachedPage found = page(page);
    return found == null ? 0 : found.parts() & layout.allParts(page);
  }

  /** Notes that a page is read. @return whether any part of it is cached */
  public boolean use(int page) {
    CachedPage found = page(page);
    if (found == null) {
      return false;
    }
    found.use();
    return true;
  }

  /** @return whether all of these bytes of a page's data are cached. */
  public boolean has(int page, int from, int to) {
    return (layout.partsOf(from, to) & ~parts(page)) == 0;
  }

  /** @return whether any of these bytes of the block is in a cached part. */
  public boolean hasAny(long from, long to) {
    int first = layout.pageOf(from);
    int last = layout.pageOf(to - 1);
    for (int page = first; page <= last; page++) {
      long start = layout.start(page);
      int parts = layout.partsOf(page == first ? (int) (from - start) : 0,
          page == last ? (int) (to - start) : layout.dataLength(page));
      if ((parts(page) & parts) != 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Ends the block's life. Its pages are no longer found. Takes no lock and touches no file.
   *
   * @return whether it lived: then the caller has to remove its pages. If not, whoever ended its
   *     life does.
   */
  boolean kill() {
    // Before it is dead, so that a deletion of the files does not miss it.
    index.stillRead(this);
    long before = state.getAndUpdate(now -> now | DEAD);
    if (!isRead(before)) {
      // Nobody will read it: it is dead.
      index.unread(this);
    }
    return !isDead(before);
  }

  /**
   * A page is there. Called under the lock of the page store.
   *
   * @return whether none of this number was known before
   */
  public boolean add(CachedPage page) {
    if (page.number() >= layout.pages()) {
      // Of a file that is no page of this block. Restoring finds it, and deletes it.
      return false;
    }
    // Counted before it is there: who removes it meanwhile takes what was counted.
    state.addAndGet(PAGE);
    CachedPage[] before;
    int at;
    do {
      before = cached.get();
      at = find(before, page.number());
    } while (!cached.compareAndSet(before, with(before, at, page)));
    if (at >= 0) {
      take(PAGE);
    }
    return at < 0;
  }

  /** @param at what {@link #find} returned */
  private static CachedPage[] with(CachedPage[] pages, int at, CachedPage page) {
    if (at >= 0) {
      CachedPage[] replaced = pages.clone();
      replaced[at] = page;
      return replaced;
    }
    CachedPage[] more = Arrays.copyOf(pages, pages.length + 1);
    more[~at] = page;
    System.arraycopy(pages, ~at, more, ~at + 1, pages.length - ~at);
    return more;
  }

  /**
   * A page has left the page store, or is unusable: it is not to be found until it has been filled
   * again.
   *
   * @return whether this page, and no later one of its number, was known to be there
   */
  public boolean remove(CachedPage page) {
    CachedPage[] before;
    CachedPage[] fewer;
    do {
      before = cached.get();
      int at = find(before, page.number());
      if (at < 0 || before[at] != page) {
        return false;
      }
      fewer = Arrays.copyOf(before, before.length - 1);
      System.arraycopy(before, at + 1, fewer, at, fewer.length - at);
    } while (!cached.compareAndSet(before, fewer));
    take(PAGE);
    return true;
  }

  @Override
  public String toString() {
    return snapshot + " with " + pages() + " cached pages";
  }
}

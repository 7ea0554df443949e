/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.SharedReplicaFiles;
import io.hdfslocalcache.plugin.page.PageLayout;

/**
 * A snapshot of a block of which pages are cached, or being filled.
 *
 * <p>Whether it lives, how many read it and how many pages it has are one number, which changes in
 * one step. A block lives as long as it has readers or pages: the step that takes the last of both
 * ends its life, and so does a {@link #kill}. It is never revived. Whoever fills it is one of its
 * readers.
 *
 * <p>The map of pages follows the page store's own index, under whose lock it is written; readers
 * take it for a hint. Whoever adds pages holds the lock of {@link #adding}, looks at {@link #isDead},
 * and adds only to a living block; whoever kills it takes the lock afterwards and removes what was
 * added before.
 *
 * <p>A stock read opens the replica's files when it begins, and so outlives a delete or an append
 * that comes while it goes on. A read from pages opens them when it needs them. Until then, a dead
 * block that is read is told {@link #replicaMoved where they went}, and before they are deleted,
 * they are opened and {@link #keepReplica kept}.
 */
public final class CachedBlock {

  /** Parts of the {@link #state}: dead or not, number of readers, number of pages. */
  private static final long DEAD = Long.MIN_VALUE;
  private static final long READER = 1L << Integer.SIZE;
  private static final long PAGE = 1;

  /** Pages in an element. */
  private static final int PAGES = Long.SIZE / PageLayout.MOST_PARTS;
  private static final int PARTS = (1 << PageLayout.MOST_PARTS) - 1;

  private final BlockIndex index;
  private final ReplicaSnapshot snapshot;
  private final PageLayout layout;
  private final ReplicaIdentity identity;
  private final Ssd ssd;
  private final String fileId;
  /** A byte for each page, with a bit for each of its parts. */
  private final AtomicLongArray cached;
  private final AtomicLong state = new AtomicLong(READER);
  private final AtomicReference<ReplicaFiles.Opener> moved = new AtomicReference<>();
  private final AtomicReference<SharedReplicaFiles> kept = new AtomicReference<>();
  /** No monitor: whoever holds it waits for the SSD. */
  private final Lock adding = new ReentrantLock();
  private volatile boolean proven;

  /** Begins to live with one reader: who made it. */
  CachedBlock(BlockIndex index, ReplicaSnapshot snapshot, PageLayout layout,
      ReplicaIdentity identity, Ssd ssd) {
    this.index = index;
    this.snapshot = snapshot;
    this.layout = layout;
    this.identity = identity;
    this.ssd = ssd;
    this.fileId = BlockFileId.of(snapshot, identity);
    this.cached = new AtomicLongArray((layout.pages() + PAGES - 1) / PAGES);
  }

  /** @return the state of the replica that the pages hold. */
  public ReplicaSnapshot snapshot() {
    return snapshot;
  }

  /** @return where the bytes are in the pages. */
  public PageLayout layout() {
    return layout;
  }

  /**
   * @return the SSD that all its pages are on, whichever SSD others of its kind go
   *     to by now
   */
  public Ssd ssd() {
    return ssd;
  }

  /** @return the name of the block's pages in the page store. */
  public String fileId() {
    return fileId;
  }

  /**
   * Compares the replica of the pages with the one that the DataNode has. The answer is kept: from
   * then on, a change of the replica ends the block.
   *
   * @param now which replica the DataNode has; read while this block was in the index, or before
   *     the replica's bytes were read to fill it
   * @return whether the pages are of that replica
   */
  public boolean prove(ReplicaIdentity now) {
    if (identity.equals(now)) {
      proven = true;
    }
    return proven;
  }

  /**
   * @return whether the pages are known to be of the replica that the DataNode has. Those of before
   *     a restart are not before {@link #prove} has said so, and must not be read.
   */
  public boolean isProven() {
    return proven;
  }

  /** @return the lock that is held while pages are added, or removed because the block is dead. */
  public Lock adding() {
    return adding;
  }

  /** @return whether the block is no longer true, or no longer needed. */
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
   * Counts a reader, or a filler, who may come to need the replica that the pages are copied from.
   *
   * @return false if the block is dead, and nobody was counted: the replica may have left already
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

  /** A reader who was counted is done. */
  public void removeReader() {
    take(READER);
  }

  /** Takes a reader or a page away, and ends the block's life with the last of both. */
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
   * @param opener opens what it was from where the files are now
   */
  public void replicaMoved(ReplicaFiles.Opener opener) {
    moved.updateAndGet(before -> before == null ? opener
        : before.isLast() ? before : opener.since(before));
  }

  /** @return opens the replica as it was from where its files are now; null if it never changed. */
  public ReplicaFiles.Opener movedReplica() {
    return moved.get();
  }

  /**
   * The files of the replica are about to be deleted: keeps them open for readers who need them.
   * Opens nothing if nobody reads the block. Waits for the data volume.
   *
   * @throws IOException if it cannot be opened
   */
  public void keepReplica() throws IOException {
    ReplicaFiles.Opener opener = moved.get();
    if (opener == null || kept.get() != null || !isDeadAndRead()) {
      return;
    }
    SharedReplicaFiles files = new SharedReplicaFiles(opener.open(snapshot));
    if (!kept.compareAndSet(null, files)) {
      files.release();
    } else if (!isDeadAndRead()) {
      releaseReplica();
    }
  }

  private boolean isDeadAndRead() {
    long now = state.get();
    return isDead(now) && isRead(now);
  }

  /** @return the files that were kept, to be released by the caller, or null. */
  public SharedReplicaFiles keptReplica() {
    SharedReplicaFiles files = kept.get();
    return files != null && files.retain() ? files : null;
  }

  /** Nobody reads a dead block any more, and nobody will. */
  private void forgetReplica() {
    index.unread(this);
    releaseReplica();
  }

  private void releaseReplica() {
    SharedReplicaFiles files = kept.getAndSet(null);
    if (files != null) {
      files.release();
    }
  }

  /** @return number of cached pages. */
  public int pages() {
    return (int) state.get();
  }

  /** @return number of pages of which all parts are cached. */
  public int wholePages() {
    return (int) IntStream.range(0, layout.pages())
        .filter(page -> parts(page) == layout.allParts(page)).count();
  }

  /** @return the parts of a page that are cached, a bit for each. */
  public int parts(int page) {
    return partsIn(cached.get(page / PAGES), page);
  }

  /** @return whether all of these bytes of a page's data are cached. */
  public boolean has(int page, int from, int to) {
    return (layout.partsOf(from, to) & ~parts(page)) == 0;
  }

  /** @return whether any of these bytes of the block is in a part that is cached. */
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

  /** The page turned out to be unusable: it is not to be found until it has been filled again. */
  public void forget(int page) {
    remove(page);
  }

  /**
   * Ends the block's life. Its pages are found no more. Takes no lock and touches no file.
   *
   * @return whether it lived: then the caller has to remove its pages. If not, somebody else has
   *     ended its life, and sees to its pages.
   */
  boolean kill() {
    long before;
    do {
      before = state.get();
      if (!isRead(before)) {
        index.unread(this);
      } else if (!isDead(before)) {
        // Before it is dead: who deletes the files shall not miss it.
        index.stillRead(this);
      }
      if (isDead(before)) {
        return false;
      }
    } while (!state.compareAndSet(before, before | DEAD));
    return true;
  }

  /**
   * Parts of a page are there. Called under the lock of the page store.
   *
   * @param parts a bit for each
   * @return whether none of the page was known before
   */
  public boolean add(int page, int parts) {
    if (page >= layout.pages()) {
      // Of a file that is no page of this block. Restoring finds it, and deletes it.
      return false;
    }
    long bits = (long) (parts & layout.allParts(page)) << shift(page);
    // Counted before it is there: who removes it meanwhile takes what was counted.
    state.addAndGet(PAGE);
    boolean isNew =
        partsIn(cached.getAndAccumulate(page / PAGES, bits, (a, b) -> a | b), page) == 0;
    if (!isNew) {
      take(PAGE);
    }
    return isNew;
  }

  /** @return whether any of the page was known to be there. */
  boolean remove(int page) {
    long bits = (long) PARTS << shift(page);
    boolean was =
        partsIn(cached.getAndAccumulate(page / PAGES, bits, (a, b) -> a & ~b), page) != 0;
    if (was) {
      take(PAGE);
    }
    return was;
  }

  private static int shift(int page) {
    return page % PAGES * PageLayout.MOST_PARTS;
  }

  private static int partsIn(long bytes, int page) {
    return (int) (bytes >>> shift(page)) & PARTS;
  }

  @Override
  public String toString() {
    return snapshot + " with " + pages() + " cached pages";
  }
}

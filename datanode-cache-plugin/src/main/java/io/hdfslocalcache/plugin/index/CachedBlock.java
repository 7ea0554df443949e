/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.SharedReplicaFiles;
import io.hdfslocalcache.plugin.page.PageLayout;

/**
 * A snapshot of a block of which pages are cached, or being filled.
 *
 * <p>The map of pages follows the page store's own index, under whose lock it is written; readers
 * take it for a hint. Once {@link #kill killed}, a block is never revived: whoever adds pages holds
 * the block's monitor, looks at {@link #isDead}, and adds only to a living block; whoever kills it
 * takes the monitor afterwards and removes what was added before.
 *
 * <p>A stock read opens the replica's files when it begins, and so outlives a delete or an append
 * that comes while it goes on. A read from pages opens them when it needs them, and so that it
 * finds them then, they are {@link #keepReplica kept} open when the replica changes.
 */
public final class CachedBlock {

  /** Count of readers from which no reader leads back to zero. */
  private static final int NO_MORE_READERS = Integer.MIN_VALUE / 2;

  /** Pages in an element. */
  private static final int PAGES = Long.SIZE / PageLayout.MOST_PARTS;
  private static final int PARTS = (1 << PageLayout.MOST_PARTS) - 1;

  private final ReplicaSnapshot snapshot;
  private final PageLayout layout;
  private final ReplicaIdentity identity;
  private final Path ssd;
  private final String fileId;
  /** A byte for each page, with a bit for each of its parts. */
  private final AtomicLongArray cached;
  private final AtomicInteger pages = new AtomicInteger();
  private final AtomicInteger readers = new AtomicInteger();
  private final AtomicReference<SharedReplicaFiles> kept = new AtomicReference<>();
  private volatile boolean dead;
  private volatile boolean proven;

  CachedBlock(ReplicaSnapshot snapshot, PageLayout layout, ReplicaIdentity identity, Path ssd) {
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
   * @return the directory of the SSD that all its pages are on, whichever SSD others of its kind go
   *     to by now
   */
  public Path ssd() {
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

  /** @return whether the block is no longer true, or no longer needed. */
  public boolean isDead() {
    return dead;
  }

  /**
   * Counts a reader who may come to need the replica that the pages were copied from.
   *
   * @return false if the block is dead: the replica may have left already
   */
  public boolean addReader() {
    return readers.getAndIncrement() >= 0 && !dead;
  }

  /** A reader is done. */
  public void removeReader() {
    if (readers.decrementAndGet() == 0 && dead) {
      releaseReplica();
    }
  }

  /**
   * The replica leaves, or is about to be continued by an append: keeps its files open for readers
   * who need them. Opens nothing if there can be none. To be called while the files are still in
   * their place.
   *
   * @param opener opens the replica as it was
   * @throws IOException if it cannot be opened
   */
  public void keepReplica(ReplicaFiles.Opener opener) throws IOException {
    if (kept.get() != null || dead && !isRead()) {
      return;
    }
    SharedReplicaFiles files = new SharedReplicaFiles(opener.open());
    if (!kept.compareAndSet(null, files)) {
      files.release();
    } else if (dead && !isRead()) {
      releaseReplica();
    }
  }

  private boolean isRead() {
    return readers.get() > 0;
  }

  /** @return whether the replica as it was is kept open. */
  public boolean keepsReplica() {
    return kept.get() != null;
  }

  /** @return the files that were kept, to be released by the caller, or null. */
  public SharedReplicaFiles keptReplica() {
    SharedReplicaFiles files = kept.get();
    return files != null && files.retain() ? files : null;
  }

  private void releaseReplica() {
    SharedReplicaFiles files = kept.getAndSet(null);
    if (files != null) {
      files.release();
    }
  }

  /** @return number of cached pages. */
  public int pages() {
    return pages.get();
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

  /** Ends the block's life. Its pages are found no more, and have to be removed by the caller. */
  public void kill() {
    dead = true;
    if (!isRead()) {
      releaseReplica();
    }
  }

  /**
   * Ends the block's life unless somebody reads it, who may come to need what is {@link
   * #keepReplica kept} of it.
   *
   * @return false if somebody does
   */
  boolean killIfUnread() {
    if (!dead && !readers.compareAndSet(0, NO_MORE_READERS)) {
      return false;
    }
    kill();
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
    boolean isNew =
        partsIn(cached.getAndAccumulate(page / PAGES, bits, (a, b) -> a | b), page) == 0;
    if (isNew) {
      pages.incrementAndGet();
    }
    return isNew;
  }

  /** @return whether any of the page was known to be there. */
  boolean remove(int page) {
    long bits = (long) PARTS << shift(page);
    boolean was =
        partsIn(cached.getAndAccumulate(page / PAGES, bits, (a, b) -> a & ~b), page) != 0;
    if (was) {
      pages.decrementAndGet();
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
    return snapshot + " with " + pages + " cached pages";
  }
}

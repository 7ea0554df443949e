/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.plugin.block.ReplicaOpener;
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

  private final ReplicaSnapshot snapshot;
  private final PageLayout layout;
  private final String fileId;
  private final AtomicLongArray cached;
  private final AtomicInteger pages = new AtomicInteger();
  private final AtomicInteger readers = new AtomicInteger();
  private final AtomicReference<SharedReplicaFiles> kept = new AtomicReference<>();
  private volatile boolean dead;

  CachedBlock(ReplicaSnapshot snapshot, PageLayout layout) {
    this.snapshot = snapshot;
    this.layout = layout;
    this.fileId = BlockFileId.of(snapshot);
    this.cached = new AtomicLongArray((layout.pages() + Long.SIZE - 1) / Long.SIZE);
  }

  /** @return the state of the replica that the pages hold. */
  public ReplicaSnapshot snapshot() {
    return snapshot;
  }

  /** @return where the bytes are in the pages. */
  public PageLayout layout() {
    return layout;
  }

  /** @return the name of the block's pages in the page store. */
  public String fileId() {
    return fileId;
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
  public void keepReplica(ReplicaOpener opener) throws IOException {
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

  /** @return whether the page is cached, as far as known without asking the page store. */
  public boolean mayHave(int page) {
    return (cached.get(page / Long.SIZE) >>> page & 1) != 0;
  }

  /** @return whether a page from first to last, both included, may be cached. */
  public boolean mayHaveAny(int first, int last) {
    for (int word = first / Long.SIZE; word <= last / Long.SIZE; word++) {
      if ((cached.get(word) & mask(word, first, last)) != 0) {
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

  /** A page is there. Called under the lock of the page store. @return whether it was not known */
  public boolean add(int page) {
    boolean added = set(cached, page);
    if (added) {
      pages.incrementAndGet();
    }
    return added;
  }

  /** @return whether the page was known to be there. */
  boolean remove(int page) {
    boolean removed = clear(cached, page);
    if (removed) {
      pages.decrementAndGet();
    }
    return removed;
  }

  private static boolean set(AtomicLongArray bits, int page) {
    long bit = 1L << page;
    return (bits.getAndAccumulate(page / Long.SIZE, bit, (a, b) -> a | b) & bit) == 0;
  }

  private static boolean clear(AtomicLongArray bits, int page) {
    long bit = 1L << page;
    return (bits.getAndAccumulate(page / Long.SIZE, bit, (a, b) -> a & ~b) & bit) != 0;
  }

  private static long mask(int word, int first, int last) {
    long mask = -1L;
    if (word == first / Long.SIZE) {
      mask &= -1L << first;
    }
    if (word == last / Long.SIZE) {
      mask &= -1L >>> (Long.SIZE - 1 - last % Long.SIZE);
    }
    return mask;
  }

  @Override
  public String toString() {
    return snapshot + " with " + pages + " cached pages";
  }
}

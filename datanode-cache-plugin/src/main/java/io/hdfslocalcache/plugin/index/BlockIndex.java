/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.page.PageLayout;

/**
 * All cached blocks of the DataNode, at most one snapshot of each: the map from (block pool, block
 * id) to cached pages in Uber's design, without which a delete could not find the pages. Reads take
 * no lock.
 */
public final class BlockIndex {

  private final ConcurrentHashMap<BlockKey, CachedBlock> blocks = new ConcurrentHashMap<>();
  private final Queue<CachedBlock> emptied = new ConcurrentLinkedQueue<>();
  private final LongAdder pages = new LongAdder();

  /** @return the block if pages of just this snapshot are cached or being filled, else null. */
  public CachedBlock find(ReplicaSnapshot snapshot) {
    CachedBlock block = blocks.get(snapshot.key());
    return block != null && block.snapshot().equals(snapshot) && !block.isDead() ? block : null;
  }

  /** @return whatever snapshot of the block is cached, or null. */
  public CachedBlock get(BlockKey key) {
    return blocks.get(key);
  }

  /** @return the same if pages of it are cached, or null. */
  public CachedBlock cached(BlockKey key) {
    CachedBlock block = blocks.get(key);
    return block == null || block.pages() == 0 ? null : block;
  }

  /** What {@link #register} did: the living block, and the one that had to go for it, or null. */
  public record Registration(CachedBlock block, CachedBlock replaced) {
  }

  /**
   * Finds or makes the entry of a snapshot whose replica has just been looked at. One of another
   * snapshot is killed, and so is one whose pages turn out to be of another replica.
   *
   * @param identity which replica it is. An entry whose pages are known to be of the DataNode's
   *     replica keeps its own: the replica may have been moved to another volume since.
   * @param ssd where pages of a new entry are to be; one that is there stays with its SSD
   */
  public Registration register(ReplicaSnapshot snapshot, PageLayout layout,
      ReplicaIdentity identity, Path ssd) {
    return register(snapshot, layout, identity, ssd, true);
  }

  /**
   * The same for pages of before a restart: nobody has looked at the replica. A new entry is not
   * {@link CachedBlock#isProven proven}, and one of the same snapshot that is there stays, whatever
   * replica its pages are of.
   */
  public Registration registerRestored(ReplicaSnapshot snapshot, PageLayout layout,
      ReplicaIdentity identity, Path ssd) {
    return register(snapshot, layout, identity, ssd, false);
  }

  private Registration register(ReplicaSnapshot snapshot, PageLayout layout,
      ReplicaIdentity identity, Path ssd, boolean isSeen) {
    AtomicReference<CachedBlock> replaced = new AtomicReference<>();
    CachedBlock block = blocks.compute(snapshot.key(), (key, old) -> {
      if (old != null && !old.isDead() && old.snapshot().equals(snapshot)
          && old.layout().equals(layout)
          && (old.isProven() || !isSeen || old.prove(identity))) {
        return old;
      }
      if (old != null) {
        old.kill();
        replaced.set(old);
      }
      CachedBlock made = new CachedBlock(snapshot, layout, identity, ssd);
      if (isSeen) {
        made.prove(identity);
      }
      return made;
    });
    return new Registration(block, replaced.get());
  }

  /** Kills the block's entry. @return the entry, whose pages are to be removed, or null. */
  public CachedBlock remove(BlockKey key) {
    CachedBlock block = blocks.remove(key);
    if (block != null) {
      block.kill();
    }
    return block;
  }

  /**
   * Kills this entry, and no later one of the same block.
   *
   * @return whether it was in the index: only one caller is told so
   */
  public boolean discard(CachedBlock block) {
    block.kill();
    return blocks.remove(block.snapshot().key(), block);
  }

  /** Kills this entry unless somebody reads it. @return false if somebody does */
  public boolean discardIfUnread(CachedBlock block) {
    if (!block.killIfUnread()) {
      return false;
    }
    blocks.remove(block.snapshot().key(), block);
    return true;
  }

  /** Kills all entries of a block pool. @return them. */
  public List<CachedBlock> removePool(String blockPoolId) {
    List<CachedBlock> removed = new ArrayList<>();
    for (BlockKey key : blocks.keySet()) {
      if (key.blockPoolId().equals(blockPoolId)) {
        CachedBlock block = remove(key);
        if (block != null) {
          removed.add(block);
        }
      }
    }
    return removed;
  }

  /** Kills all entries. */
  public void clear() {
    blocks.keySet().forEach(this::remove);
  }

  /** The store of an SSD has a page more. Called under its lock. @param parts those that it has */
  public void pageAdded(Path ssd, String fileId, long page, int parts) {
    pages.increment();
    partsAdded(ssd, fileId, page, parts);
  }

  /** A page has more parts. Called under the lock of the page store. */
  public void partsAdded(Path ssd, String fileId, long page, int parts) {
    CachedBlock block = entry(ssd, fileId);
    if (block != null) {
      block.add(Math.toIntExact(page), parts);
    }
  }

  /** The store of an SSD has a page less. Called under its lock. */
  public void pageRemoved(Path ssd, String fileId, long page) {
    pages.decrement();
    CachedBlock block = entry(ssd, fileId);
    if (block != null) {
      block.remove(Math.toIntExact(page));
      if (block.pages() == 0) {
        emptied.add(block);
      }
    }
  }

  /**
   * Drops the entries whose last page was evicted.
   *
   * @param which which entries to drop; the others, and those that are being read, stay for another
   *     call
   */
  public void dropEmptied(Predicate<CachedBlock> which) {
    emptied.removeIf(block -> which.test(block) && isSettled(block));
  }

  /**
   * Drops an entry that has no page and no reader. To be called by whoever was one of its readers, or
   * has entered it; takes no lock. While it is being read it stays: a change of the replica must find
   * it, to keep the replica for its readers. Whoever adds pages is a reader meanwhile.
   */
  public void dropIfEmpty(CachedBlock block) {
    if (block.pages() == 0) {
      discardIfUnread(block);
    }
  }

  /** @return false if the entry is to be dropped when it is no longer read. */
  private boolean isSettled(CachedBlock block) {
    return block.pages() > 0 || discardIfUnread(block);
  }

  /** Shows all entries, in no order, as they come and go meanwhile. */
  public void forEach(Consumer<CachedBlock> visitor) {
    blocks.values().forEach(visitor);
  }

  /** @return number of cached pages. */
  public long pages() {
    return pages.sum();
  }

  /** @return number of blocks with cached pages. */
  public long blocks() {
    return blocks.size();
  }

  /** Of pages that are left on another SSD, the entry knows nothing: nobody looks there. */
  private CachedBlock entry(Path ssd, String fileId) {
    BlockKey key = BlockFileId.blockOf(fileId);
    CachedBlock block = key == null ? null : blocks.get(key);
    return block != null && block.fileId().equals(fileId) && block.ssd().equals(ssd)
        ? block : null;
  }
}

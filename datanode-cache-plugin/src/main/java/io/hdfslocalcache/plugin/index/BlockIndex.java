/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.page.PageLayout;

/**
 * All cached blocks of the DataNode, at most one snapshot of each: the map from (block pool, block
 * id) to cached pages in Uber's design, without which a delete could not find the pages. Reads take
 * no lock. An entry that has neither pages nor readers is gone.
 */
public final class BlockIndex {

  private final ConcurrentHashMap<BlockKey, CachedBlock> blocks = new ConcurrentHashMap<>();
  /** Dead blocks that are still read: few, and only for as long. */
  private final Set<CachedBlock> stillRead = ConcurrentHashMap.newKeySet();
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

  /**
   * What {@link #register} did: the living block, and the one that it has killed for it, or null.
   */
  public record Registration(CachedBlock block, CachedBlock replaced) {
  }

  /**
   * Finds or makes the entry of a snapshot whose replica has just been looked at, and counts the
   * caller as one of its {@link CachedBlock#removeReader readers}. One of another snapshot is killed,
   * and so is one whose pages turn out to be of another replica.
   *
   * @param identity which replica it is. An entry whose pages are known to be of the DataNode's
   *     replica keeps its own: the replica may have been moved to another volume since.
   * @param ssd where pages of a new entry are to be; one that is there stays with its SSD
   */
  public Registration register(ReplicaSnapshot snapshot, PageLayout layout,
      ReplicaIdentity identity, Ssd ssd) {
    return register(snapshot, layout, identity, ssd, true);
  }

  /**
   * The same for pages of before a restart: nobody has looked at the replica. A new entry is not
   * {@link CachedBlock#isProven proven}, and one of the same snapshot that is there stays, whatever
   * replica its pages are of.
   */
  public Registration registerRestored(ReplicaSnapshot snapshot, PageLayout layout,
      ReplicaIdentity identity, Ssd ssd) {
    return register(snapshot, layout, identity, ssd, false);
  }

  private Registration register(ReplicaSnapshot snapshot, PageLayout layout,
      ReplicaIdentity identity, Ssd ssd, boolean isSeen) {
    AtomicReference<CachedBlock> replaced = new AtomicReference<>();
    CachedBlock block = blocks.compute(snapshot.key(), (key, old) -> {
      if (old != null && old.snapshot().equals(snapshot) && old.layout().equals(layout)
          && (old.isProven() || !isSeen || old.prove(identity)) && old.addReader()) {
        return old;
      }
      // One that somebody else has ended is not handed over: by their names, its pages would be
      // those of the new entry.
      if (old != null && old.kill()) {
        replaced.set(old);
      }
      CachedBlock made = new CachedBlock(this, snapshot, layout, identity, ssd);
      if (isSeen) {
        made.prove(identity);
      }
      return made;
    });
    return new Registration(block, replaced.get());
  }

  /**
   * Kills this entry, and no later one of the same block.
   *
   * @return whether it lived: then its pages are to be removed
   */
  public boolean discard(CachedBlock block) {
    boolean lived = block.kill();
    blocks.remove(block.snapshot().key(), block);
    return lived;
  }

  /** @return the entries of a block pool, as they come and go meanwhile. */
  public List<CachedBlock> ofPool(String blockPoolId) {
    return blocks.values().stream()
        .filter(block -> block.snapshot().key().blockPoolId().equals(blockPoolId)).toList();
  }

  /** Kills all entries. */
  public void clear() {
    blocks.values().forEach(this::discard);
  }

  /** A block of which nobody needs anything has ended. */
  void ended(CachedBlock block) {
    blocks.remove(block.snapshot().key(), block);
  }

  /** A block is about to be killed while it is read. */
  void stillRead(CachedBlock block) {
    stillRead.add(block);
  }

  /** Nobody reads a killed block any more. */
  void unread(CachedBlock block) {
    stillRead.remove(block);
  }

  /**
   * Finds all that knows the replica of a block as it is now or was before: the entry, and whatever
   * is no longer in the index but still read.
   */
  public void forEach(BlockKey key, Consumer<CachedBlock> visitor) {
    // In this order: one that is killed meanwhile is in both for a moment.
    CachedBlock entry = blocks.get(key);
    if (entry != null) {
      visitor.accept(entry);
    }
    forEachStillRead(block -> {
      if (block != entry && block.snapshot().key().equals(key)) {
        visitor.accept(block);
      }
    });
  }

  /** Shows all blocks that are no longer in the index but still read. */
  public void forEachStillRead(Consumer<CachedBlock> visitor) {
    stillRead.forEach(visitor);
  }

  /**
   * The store of an SSD has a page more. Called under its lock.
   *
   * @param block null: it is of before a restart, and no block knows it yet
   */
  public void pageAdded(CachedBlock block, CachedPage page) {
    pages.increment();
    if (block != null) {
      block.add(page);
    }
  }

  /** The store of an SSD has a page less. Called under its lock. @param block as when it was added */
  public void pageRemoved(CachedBlock block, CachedPage page) {
    pages.decrement();
    if (block != null) {
      block.remove(page);
    }
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
}

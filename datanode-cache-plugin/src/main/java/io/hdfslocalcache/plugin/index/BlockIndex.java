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
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.page.PageLayout;

/**
 * All cached blocks of the DataNode, at most one snapshot of each: the map from (block pool, block
 * id) to cached pages in Uber's design, which deletes need to find the pages. Reads take no lock.
 * An entry without pages and readers is removed.
 */
public final class BlockIndex {

  private final ConcurrentHashMap<BlockKey, CachedBlock> blocks = new ConcurrentHashMap<>();
  /** Dead blocks that are still being read: few, for a short time. */
  private final Set<CachedBlock> stillRead = ConcurrentHashMap.newKeySet();
  private final LongAdder pages = new LongAdder();

  /** @return the block if pages of exactly this snapshot are cached or being filled, else null. */
  public CachedBlock find(ReplicaSnapshot snapshot) {
    CachedBlock block = blocks.get(snapshot.key());
    return block != null && block.snapshot().equals(snapshot) && !block.isDead() ? block : null;
  }

  /** @return the cached block, whatever its snapshot, or null. */
  public CachedBlock get(BlockKey key) {
    return blocks.get(key);
  }

  /** @return the same if it has cached pages, or null. */
  public CachedBlock cached(BlockKey key) {
    CachedBlock block = blocks.get(key);
    return block == null || block.pages() == 0 ? null : block;
  }

  /**
   * Result of {@link #register}: the living block, and the block killed for it, or null.
   */
  public record Registration(CachedBlock block, CachedBlock replaced) {
  }

  /**
   * Finds or creates the entry of a snapshot whose replica was just read, and counts the caller as
   * one of its {@link CachedBlock#removeReader readers}. An entry of another snapshot is killed,
   * and so is an entry whose pages turn out to be of another replica.
   *
   * @param identity identity of the replica. An entry whose pages are known to be of the DataNode's
   *     replica keeps its own: the replica may have moved to another volume since.
   * @param ssd SSD for the pages of a new entry; an existing entry stays on its SSD
   */
  public Registration register(ReplicaSnapshot snapshot, PageLayout layout,
      ReplicaIdentity identity, Ssd ssd) {
    return register(snapshot, layout, () -> identity.fileId(snapshot), identity, ssd);
  }

  /**
   * The same for restored pages, whose replica was not read yet. A new entry is not
   * {@link CachedBlock#isProven proven}, and an existing entry of the same snapshot stays, whatever
   * replica its pages are of.
   *
   * @param fileId name of the pages
   */
  public Registration registerRestored(
      ReplicaSnapshot snapshot, PageLayout layout, String fileId, Ssd ssd) {
    return register(snapshot, layout, () -> fileId, null, ssd);
  }

  /** @param seen identity of the replica; null: not read yet */
  private Registration register(ReplicaSnapshot read, PageLayout layout, Supplier<String> fileId,
      ReplicaIdentity seen, Ssd ssd) {
    CachedBlock found = find(read);
    ReplicaSnapshot snapshot = found == null ? read.toKeep() : found.snapshot();
    AtomicReference<CachedBlock> replaced = new AtomicReference<>();
    CachedBlock block = blocks.compute(snapshot.key(), (key, old) -> {
      if (old != null && old.snapshot().equals(snapshot) && old.layout().equals(layout)
          && (old.isProven() || seen == null || old.prove(seen)) && old.addReader()) {
        return old;
      }
      // First: a block that is killed has to be reported.
      CachedBlock made =
          new CachedBlock(this, snapshot, layout, fileId.get(), seen != null, ssd);
      // A block that another thread has killed is not reported again: its pages have the same names
      // as those of the new entry.
      if (old != null && old.kill()) {
        replaced.set(old);
      }
      return made;
    });
    return new Registration(block, replaced.get());
  }

  /**
   * Kills this entry, but no later entry of the same block.
   *
   * @return whether it lived: then the caller removes its pages
   */
  public boolean discard(CachedBlock block) {
    boolean lived = block.kill();
    blocks.remove(block.snapshot().key(), block);
    return lived;
  }

  /**
   * @return the entries of a block pool, and its dead blocks that are still being read; weakly
   *     consistent
   */
  public List<CachedBlock> ofPool(String blockPoolId) {
    // In this order: a block killed meanwhile is in both for a moment.
    return Stream.concat(blocks.values().stream(), stillRead.stream()).distinct()
        .filter(block -> block.snapshot().key().blockPoolId().equals(blockPoolId)).toList();
  }

  /** Kills all entries. */
  public void clear() {
    blocks.values().forEach(this::discard);
  }

  /** A block without pages and readers has ended. */
  void ended(CachedBlock block) {
    blocks.remove(block.snapshot().key(), block);
  }

  /** A block is about to be killed, perhaps while it is being read. */
  void stillRead(CachedBlock block) {
    stillRead.add(block);
  }

  /** Nobody reads a killed block any more. */
  void unread(CachedBlock block) {
    stillRead.remove(block);
  }

  /**
   * Visits the entry of a block, and its dead blocks that are still being read.
   */
  public void forEach(BlockKey key, Consumer<CachedBlock> visitor) {
    // In this order: a block killed meanwhile is in both for a moment.
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

  /** Visits all dead blocks that are still being read. */
  public void forEachStillRead(Consumer<CachedBlock> visitor) {
    stillRead.forEach(visitor);
  }

  /**
   * A page was added to an SSD's store. Called under its lock.
   *
   * @param block null: a restored page that is not linked to its block yet
   */
  public void pageAdded(CachedBlock block, CachedPage page) {
    pages.increment();
    if (block != null) {
      block.add(page);
    }
  }

  /** A page left an SSD's store. Called under its lock. @param block as when it was added */
  public void pageRemoved(CachedBlock block, CachedPage page) {
    pages.decrement();
    if (block != null) {
      block.remove(page);
    }
  }

  /** Visits all entries in no order; weakly consistent. */
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

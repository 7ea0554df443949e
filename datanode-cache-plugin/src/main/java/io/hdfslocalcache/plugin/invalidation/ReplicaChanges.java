/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.invalidation;

import java.io.IOException;
import java.util.function.LongFunction;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;

/**
 * What becomes of the pages of a block when its replica changes or leaves.
 *
 * <p>Nothing here throws: whatever fails is counted, and the change of the replica goes on.
 */
public final class ReplicaChanges {

  private final BlockIndex index;
  private final Invalidator invalidator;
  private final ReplicaAccess replicas;
  private final LocalCacheMetrics metrics;

  public ReplicaChanges(BlockIndex index, Invalidator invalidator, ReplicaAccess replicas,
      LocalCacheMetrics metrics) {
    this.index = index;
    this.invalidator = invalidator;
    this.replicas = replicas;
    this.metrics = metrics;
  }

  /**
   * A replica has changed.
   *
   * @param after the finalized state that the DataNode has now, or null if it has none
   * @param appending whether the finalized replica has become the beginning of one being written
   * @param lastChance opens the replica as it was, for reads in progress
   * @param why for the log
   */
  public void replicaChanged(BlockKey key, ReplicaSnapshot after, boolean appending,
      ReplicaFiles.Opener lastChance, String why) {
    try {
      CachedBlock block = index.get(key);
      if (block == null || block.snapshot().equals(after)) {
        return;
      }
      if (appending) {
        keepReplica(block, lastChance);
      } else {
        index.discard(block);
        keepReplica(block, lastChance);
        invalidator.remove(block, why);
      }
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.INVALIDATION, e);
    }
  }

  /**
   * Forgets what is cached of a block, though it is still true. Its next read is a miss, and may
   * fill it again.
   *
   * @param why for the log
   * @return number of pages, which leave the SSD soon
   */
  public int clear(CachedBlock block, String why) {
    int pages = block.pages();
    forget(block);
    invalidator.remove(block, why);
    return pages;
  }

  /** Forgets what is cached of a block, whose pages are about to be forgotten by their SSD. */
  public void forget(CachedBlock block) {
    if (!index.discardIfUnread(block)) {
      // Whoever reads its pages would be forgotten if the replica left before the read is over.
      keepReplica(block, () -> replicas.open(block.snapshot()));
      index.discard(block);
    }
  }

  private void keepReplica(CachedBlock block, ReplicaFiles.Opener lastChance) {
    try {
      block.keepReplica(lastChance);
    } catch (IOException | RuntimeException | Error e) {
      // A read in progress that needs it will fail, and its client reads again.
      metrics.error(Operation.INVALIDATION, e);
    }
  }

  /**
   * All replicas of a block pool are gone.
   *
   * @param lastChances open the replicas as they were, by block id, for reads in progress
   */
  public void blockPoolRemoved(String blockPoolId, LongFunction<ReplicaFiles.Opener> lastChances) {
    try {
      for (CachedBlock block : index.removePool(blockPoolId)) {
        keepReplica(block, lastChances.apply(block.snapshot().key().blockId()));
        invalidator.remove(block, "block pool removed");
      }
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.INVALIDATION, e);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.invalidation;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongFunction;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.index.Removals;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * Removes the pages of a block when its replica changes or is deleted. They are unreachable from
 * the moment the block is killed; their bytes are deleted soon after, from memory and from the SSD.
 * Pages in memory do not wait for an SSD that hangs.
 *
 * <p>The DataNode reports changes while it holds locks that block all its reads and writes. So
 * nothing here opens a file or waits, except {@link #filesLeave}, which is called without a lock.
 *
 * <p>Nothing here throws: failures are counted, and the change of the replica continues.
 */
public final class ReplicaChanges implements Closeable {

  private final BlockIndex index;
  private final SsdDirectories directories;
  /** Null if there is no memory tier. */
  private final Removals memory;
  private final LocalCacheMetrics metrics;

  /**
   * @param directories where the pages are
   * @param memory the memory tier, which has some of them too
   */
  public ReplicaChanges(BlockIndex index, SsdDirectories directories, MemoryTier memory,
      LocalCacheMetrics metrics) {
    this.index = index;
    this.directories = directories;
    this.metrics = metrics;
    this.memory = memory.capacityBytes() == 0 ? null : removals(memory);
  }

  private Removals removals(MemoryTier tier) {
    return new Removals("local-cache-memory-invalidation", new Removals.Place() {
      @Override
      public int removePages(CachedBlock block) {
        return tier.remove(block);
      }

      @Override
      public void failed(Throwable why) {
        metrics.error(Operation.PAGE_DELETE, why);
      }
    }, TimeAndThreads.get()::nanoTime);
  }

  /** Removes all pages of a killed block, soon. Returns at once. */
  public void remove(CachedBlock block, String why) {
    if (memory != null) {
      memory.remove(block, why);
    }
    SsdDirectory ssd = SsdDirectory.of(block);
    if (ssd != null) {
      metrics.count(Event.INVALIDATED_BLOCKS);
      ssd.removals().remove(block, why);
    }
  }

  /**
   * A replica has changed.
   *
   * @param after the DataNode's finalized state now, or null if there is none
   * @param appending whether an append to the finalized replica has begun
   * @param moved opens the replica's old state from its present place, for reads in progress
   * @param why for the log
   */
  public void replicaChanged(BlockKey key, ReplicaSnapshot after, boolean appending,
      ReplicaFiles.Opener moved, String why) {
    try {
      index.forEach(key, block -> {
        if (!block.snapshot().equals(after)) {
          block.replicaMoved(moved);
          if (!appending) {
            discard(block, why);
          }
        }
      });
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.INVALIDATION, e);
    }
  }

  /**
   * Drops the pages of a block whose replica has not changed. Its next read is a miss, and may fill
   * it again.
   *
   * @param why for the log
   * @return number of pages, which will be deleted from the SSD soon
   */
  public int clear(CachedBlock block, String why) {
    int pages = block.pages();
    discard(block, why);
    return pages;
  }

  private void discard(CachedBlock block, String why) {
    if (index.discard(block)) {
      remove(block, why);
    }
  }

  /**
   * All replicas of a block pool are gone.
   *
   * @param moved opens the old state of the replicas, by block id, for reads in progress
   */
  public void blockPoolRemoved(String blockPoolId, LongFunction<ReplicaFiles.Opener> moved) {
    try {
      for (CachedBlock block : index.ofPool(blockPoolId)) {
        replicaChanged(block.snapshot().key(), null, false,
            moved.apply(block.snapshot().key().blockId()), "block pool removed");
      }
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.INVALIDATION, e);
    }
  }

  /**
   * The files of removed replicas are about to be deleted: opens those that reads in progress may
   * need. Waits for the data volume, so it is called without a lock.
   *
   * @param blockPoolId of these replicas
   * @param blockId of the one replica, or null for all of the block pool
   */
  public void filesLeave(String blockPoolId, Long blockId) {
    index.forEachStillRead(block -> {
      BlockKey key = block.snapshot().key();
      if (key.blockPoolId().equals(blockPoolId)
          && (blockId == null || key.blockId() == blockId)) {
        keepReplica(block);
      }
    });
  }

  /** @return milliseconds from the last change of a cached replica to the removal of its pages. */
  public long lastLagMillis() {
    return ssds().mapToLong(ssd -> ssd.removals().lastLagMillis()).max().orElse(0);
  }

  /** @return whether nothing waits and nothing is being removed. */
  public boolean isIdle() {
    return (memory == null || memory.isIdle())
        && ssds().allMatch(ssd -> ssd.removals().isIdle());
  }

  /**
   * @return milliseconds for which the oldest change, or a file that could not be deleted, waits
   *     now; 0 if none
   */
  public long waitingMillis() {
    return ssds().mapToLong(ssd -> Math.max(
        ssd.undeletedMillis(), ssd.removals().waitingMillis())).max().orElse(0);
  }

  private Stream<SsdDirectory> ssds() {
    return directories.all().stream();
  }

  /** Removes waiting pages from memory, for a limited time. */
  @Override
  public void close() {
    if (memory != null) {
      memory.close();
    }
  }

  private void keepReplica(CachedBlock block) {
    try {
      block.keepReplica();
    } catch (IOException | RuntimeException | Error e) {
      // A read in progress that needs the replica will fail, and its client retries.
      metrics.error(Operation.INVALIDATION, e);
    }
  }
}

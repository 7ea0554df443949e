/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * The replica behind the pages of a read, opened when its first byte is needed. If it has changed
 * by then, its old state is opened, or taken from the block if its files were deleted. Used by one
 * thread.
 */
final class FallbackReplica implements Closeable {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final CachedBlock block;
  private final ReplicaAccess replicas;
  private ReplicaFiles replica;
  private boolean counted;

  FallbackReplica(CachedBlock block, ReplicaAccess replicas) {
    this.block = block;
    this.replicas = replicas;
  }

  /** @return false if the replica was removed already. */
  boolean hold() {
    counted = block.addReader();
    return counted;
  }

  /**
   * Gets the replica, the same at every call.
   *
   * @param withChecksums whether the client wants checksums
   * @throws IOException if the replica cannot be opened
   */
  ReplicaFiles get(boolean withChecksums) throws IOException {
    if (replica == null) {
      replica = open(withChecksums);
    }
    return replica;
  }

  /** @return the replica's files if they are open, else null. */
  ReplicaFiles opened() {
    return replica;
  }

  private ReplicaFiles open(boolean withChecksums) throws IOException {
    ReplicaFiles moved = moved();
    if (moved != null) {
      return moved;
    }
    try {
      return replicas.openForClient(block.snapshot(), withChecksums);
    } catch (IOException e) {
      if (replicas.isCurrent(block.snapshot())) {
        // It was not removed: it cannot be read, as without a local cache.
        throw e;
      }
      return awaitMoved(e);
    }
  }

  /** @return the old state of a changed replica; null if its place is not known. */
  private ReplicaFiles moved() {
    ReplicaFiles kept = block.keptReplica();
    ReplicaFiles.Opener opener = block.movedReplica();
    if (kept != null || opener == null) {
      return kept;
    }
    try {
      return opener.open(block.snapshot());
    } catch (IOException e) {
      // Its files may have been deleted meanwhile: then the block kept them open.
      return block.keptReplica();
    }
  }

  /** While its files are moved or the replica map changes, its place is not known. */
  private ReplicaFiles awaitMoved(IOException failure) throws IOException {
    long deadline = TimeAndThreads.get().nanoTime() + PATIENCE_NANOS;
    while (TimeAndThreads.get().nanoTime() < deadline && !Thread.currentThread().isInterrupted()) {
      ReplicaFiles moved = moved();
      if (moved != null) {
        return moved;
      }
      try {
        TimeAndThreads.get().sleep(STEP_NANOS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    throw failure;
  }

  @Override
  public void close() {
    if (replica != null) {
      replica.close();
      replica = null;
    }
    if (counted) {
      counted = false;
      block.removeReader();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.FileNotFoundException;
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
  private static final long FIRST_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LAST_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(16);

  private final CachedBlock block;
  private final ReplicaAccess replicas;
  private ReplicaFiles replica;
  private boolean counted;
  private boolean isMissing;

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

  /** @return whether a file was missing, though nobody had said that the replica was removed. */
  boolean isMissing() {
    return isMissing;
  }

  /** While its files are moved or the replica map changes, its place is not known: tries again. */
  private ReplicaFiles open(boolean withChecksums) throws IOException {
    IOException failure = null;
    long failed = 0;
    long step = FIRST_STEP_NANOS;
    while (true) {
      ReplicaFiles moved = moved();
      if (moved != null) {
        return moved;
      }
      // Only now: a sick volume takes its time to say that the files have just been moved.
      boolean isOver =
          failure != null && TimeAndThreads.get().nanoTime() - failed >= PATIENCE_NANOS;
      isMissing = isOver && failure instanceof FileNotFoundException;
      if (isOver || failure != null && !sleep(step)) {
        throw failure;
      }
      if (failure == null || replicas.isCurrent(block.snapshot())) {
        try {
          return replicas.openForClient(block.snapshot(), withChecksums);
        } catch (IOException e) {
          if (!(e instanceof FileNotFoundException) && replicas.isCurrent(block.snapshot())) {
            // It is where it was: it cannot be read, as without a local cache.
            throw e;
          }
          if (failure == null) {
            failure = e;
            failed = TimeAndThreads.get().nanoTime();
          }
        }
      }
      step = Math.min(2 * step, LAST_STEP_NANOS);
    }
  }

  /**
   * @return the old state of a changed replica; null if its place is not known
   * @throws IOException if it cannot be read, or was removed and its files are gone
   */
  private ReplicaFiles moved() throws IOException {
    ReplicaFiles kept = block.keptReplica();
    ReplicaFiles.Opener opener = block.movedReplica();
    if (kept != null || opener == null) {
      return kept;
    }
    try {
      return opener.open(block.snapshot());
    } catch (IOException e) {
      // Its files may have been deleted meanwhile: then the block kept them open.
      kept = block.keptReplica();
      if (kept == null && (opener.isLast() || !(e instanceof FileNotFoundException))) {
        throw e;
      }
      return kept;
    }
  }

  /** @return false if the thread is to end. */
  private static boolean sleep(long nanos) {
    try {
      TimeAndThreads.get().sleep(nanos);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
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

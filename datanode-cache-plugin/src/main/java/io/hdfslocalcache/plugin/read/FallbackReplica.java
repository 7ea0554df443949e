/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.SharedReplicaFiles;
import io.hdfslocalcache.plugin.index.CachedBlock;

/**
 * The replica behind the pages that a reader reads, opened when its first byte is needed, or taken
 * as it was kept when it changed. Used by one thread.
 */
final class FallbackReplica implements Closeable {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final CachedBlock block;
  private final ReplicaAccess replicas;
  private SharedReplicaFiles replica;
  private boolean counted;

  FallbackReplica(CachedBlock block, ReplicaAccess replicas) {
    this.block = block;
    this.replicas = replicas;
  }

  /** @return false if the replica has left already. */
  boolean hold() {
    counted = true;
    return block.addReader();
  }

  /**
   * Gets the replica, the same at every call.
   *
   * @param withChecksums whether the client wants checksums
   * @throws IOException if the replica cannot be opened, and was not kept
   */
  ReplicaFiles get(boolean withChecksums) throws IOException {
    if (replica == null) {
      replica = open(withChecksums);
    }
    return replica.files();
  }

  /** @return the replica's files if they are open, else null. */
  ReplicaFiles opened() {
    return replica == null ? null : replica.files();
  }

  private SharedReplicaFiles open(boolean withChecksums) throws IOException {
    SharedReplicaFiles kept = block.keptReplica();
    if (kept != null) {
      return kept;
    }
    try {
      return new SharedReplicaFiles(replicas.openForClient(block.snapshot(), withChecksums));
    } catch (IOException e) {
      if (replicas.isCurrent(block.snapshot())) {
        // It has not left: it cannot be read, as it could not without a local cache.
        throw e;
      }
      return awaitKept(e);
    }
  }

  /** Between the replica's leaving and its being kept, it can neither be opened nor be taken. */
  private SharedReplicaFiles awaitKept(IOException failure) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() < deadline && !Thread.currentThread().isInterrupted()) {
      SharedReplicaFiles kept = block.keptReplica();
      if (kept != null) {
        return kept;
      }
      LockSupport.parkNanos(STEP_NANOS);
    }
    throw failure;
  }

  @Override
  public void close() {
    if (replica != null) {
      replica.release();
      replica = null;
    }
    if (counted) {
      counted = false;
      block.removeReader();
    }
  }
}

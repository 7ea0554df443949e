/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import java.io.IOException;

/**
 * What the local cache asks of the DataNode's dataset. Called by many threads.
 *
 * <p>What the local cache asks on its own account changes nothing in the DataNode and reports
 * nothing, whatever it finds: nobody asked for the block. Only {@link #openForClient} has the
 * consequences that a stock read has.
 */
public interface ReplicaAccess {

  /** @return whether the DataNode has this finalized replica, with this length, at this moment. */
  boolean isCurrent(ReplicaSnapshot snapshot);

  /** @return the directory of the volume with the block, or null if the DataNode has no replica. */
  String volumeOf(BlockKey key);

  /**
   * @return the finalized replica of a block that the DataNode has on a disk now, or null if it has
   *     none, or none that can be cached
   */
  default ReplicaSnapshot finalized(BlockKey key) {
    return null;
  }

  /**
   * Looks which replica the DataNode has now. May wait for the replica's disk, as opening it would.
   *
   * @throws IOException if the replica is gone, is no pair of local files, or its disk fails
   */
  ReplicaIdentity identity(ReplicaSnapshot snapshot) throws IOException;

  /**
   * Opens block and meta file on the local cache's own account. Both are of the snapshot's
   * generation stamp.
   *
   * @throws IOException if the replica is gone, has another generation stamp, is no pair of local
   *     files, or cannot be read
   */
  ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException;

  /**
   * Opens the same files because a client reads them: a replica whose file is missing leaves the
   * DataNode's map, as it does when a stock read misses that file.
   *
   * @param withChecksums whether the client wants checksums; without them, a stock read does not
   *     look at the meta file, and {@link ReplicaFiles#readChecksums} must not be called
   * @throws IOException as {@link #open}
   */
  ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
      throws IOException;
}

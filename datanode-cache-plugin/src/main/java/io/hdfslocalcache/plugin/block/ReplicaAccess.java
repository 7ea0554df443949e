/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import java.io.IOException;
import java.util.Set;

/**
 * The local cache's view of the DataNode's dataset. Thread-safe.
 *
 * <p>Opening replicas changes and reports nothing in the DataNode, whatever it finds, but that {@link
 * #openForClient} has a sick disk checked, as a stock read has.
 */
public interface ReplicaAccess {

  /** @return whether the DataNode has this finalized replica, with this length, at this moment. */
  boolean isCurrent(ReplicaSnapshot snapshot);

  /** @return the directory of the volume with the block, or null if the DataNode has no replica. */
  String volumeOf(BlockKey key);

  /** Takes out the directories that are no volumes of the DataNode now. */
  default void retainVolumes(Set<String> directories) {
  }

  /**
   * @return the finalized replica of a block on a disk now, or null if there is none, or it cannot
   *     be cached
   */
  default ReplicaSnapshot finalized(BlockKey key) {
    return null;
  }

  /** @return the storage type for which the replica of a block is never cached, or empty. */
  default String uncachedType(BlockKey key) {
    return "";
  }

  /**
   * Reads which replica the DataNode has now. May wait for the replica's disk, like opening it.
   *
   * @throws IOException if the replica is gone, is not a pair of local files, or its disk fails
   */
  ReplicaIdentity identity(ReplicaSnapshot snapshot) throws IOException;

  /**
   * Opens block and meta file for the local cache itself. Both have the snapshot's generation
   * stamp. Their volume is not removed before they are closed.
   *
   * @throws java.nio.channels.ClosedChannelException if the volume is being removed
   * @throws IOException if the replica is gone, has another generation stamp, is not a pair of
   *     local files, or cannot be read
   */
  ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException;

  /**
   * Opens the same files for a client's read.
   *
   * @param withChecksums whether the client wants checksums; without them, a stock read does not
   *     open the meta file, and {@link ReplicaFiles#readChecksums} must not be called
   * @throws java.io.FileNotFoundException if a file is not where the DataNode's replica says:
   *     it is missing, or is being moved
   * @throws IOException as {@link #open}, also if a file is there, but cannot be opened
   */
  ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
      throws IOException;
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import java.io.IOException;

/** What the local cache asks of the DataNode's dataset. Called by many threads. */
public interface ReplicaAccess {

  /** @return whether the DataNode has this finalized replica, with this length, at this moment. */
  boolean isCurrent(ReplicaSnapshot snapshot);

  /** @return a name of the volume that holds the block, or null if the DataNode has no replica. */
  String volumeOf(BlockKey key);

  /**
   * @return the finalized replica of a block that the DataNode has on a disk now, or null if it has
   *     none, or none that can be cached
   */
  default ReplicaSnapshot finalized(BlockKey key) {
    return null;
  }

  /**
   * Opens block and meta file. Both are of the snapshot's generation stamp.
   *
   * @throws IOException if the replica is gone, has another generation stamp, is no pair of local
   *     files, or cannot be read
   */
  ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException;
}

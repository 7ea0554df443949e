/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import java.io.IOException;

import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaOpener;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;

/**
 * A replica as the DataNode has it now.
 *
 * @param replicas the DataNode's replicas
 * @param snapshot the state that the replica must still have to be opened
 */
record CurrentReplica(ReplicaAccess replicas, ReplicaSnapshot snapshot) implements ReplicaOpener {

  @Override
  public ReplicaFiles open() throws IOException {
    return replicas.open(snapshot);
  }

  @Override
  public boolean isCurrent() {
    return replicas.isCurrent(snapshot);
  }
}

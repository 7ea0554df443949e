/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.ChunkChecksum;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;

/**
 * The place of a changed or removed replica: the old one until its files are deleted, or the new
 * one after an append or a recovery.
 *
 * <p>An append overwrites the checksum of the last chunk if that is not full. If a stock read had
 * the DataNode read it before, the replica being written has it when it enters the map: it is taken
 * then, without reading a file. Otherwise it is computed when the old state is opened. A truncation
 * leaves the whole chunks below the cut.
 *
 * <p>Takes no reference to the volume: the client's read and the deletion hold one when they open.
 *
 * @param before the replica before the change
 * @param after the replica that replaces it, perhaps with the same files; null: none
 * @param last the checksum of the last chunk before an append, or null in it, with the replica's
 *     length; null: no append to a finalized replica
 * @param shortest fewest bytes of data that its files had after a change; what was beyond may have
 *     been written anew
 */
record MovedReplica(Replica before, Replica after, ChunkChecksum last, long shortest)
    implements ReplicaFiles.Opener {

  /** Uses only memory: may be called with locks of the dataset held. */
  static MovedReplica of(Replica before, Replica after) {
    boolean isAppend = before != null && before.getState() == ReplicaState.FINALIZED
        && after instanceof ReplicaInPipeline;
    return new MovedReplica(before, after,
        isAppend ? ((ReplicaInPipeline) after).getLastChecksumAndDataLen() : null,
        after == null ? Long.MAX_VALUE : after.getNumBytes());
  }

  @Override
  public ReplicaFiles.Opener since(ReplicaFiles.Opener earlier) {
    return earlier instanceof MovedReplica first
        ? new MovedReplica(before, after, first.last() == null ? last : first.last(),
            Math.min(first.shortest(), shortest))
        : this;
  }

  @Override
  public boolean isLast() {
    return after == null;
  }

  @Override
  public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
    try {
      return open(before, snapshot);
    } catch (FileNotFoundException e) {
      if (after == null) {
        throw e;
      }
      return open(after, snapshot);
    }
  }

  private ReplicaFiles open(Replica replica, ReplicaSnapshot snapshot) throws IOException {
    if (replica instanceof LocalReplica local) {
      return OpenReplicaFiles.asItWas(local, snapshot.length(), last, shortest);
    }
    throw new IOException("no local files of " + snapshot);
  }
}

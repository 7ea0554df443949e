/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package org.apache.hadoop.hdfs.server.datanode;

import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaSourceStreams;

/** The interface of this name in the seam, as a read of a {@link ReplicaSource}. */
public interface InterceptedRead extends ReplicaSource.Read {

  /** As in the seam. */
  InterceptedReplicaStreams streams();

  @Override
  default ReplicaSourceStreams getStreams() {
    return streams();
  }

  @Override
  void finished(long offset);

  /** As in the seam. */
  default void replicaRead(long nanos) {
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package org.apache.hadoop.hdfs.server.datanode;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;

/** One client read that a {@link BlockReaderInterceptor} follows. Used by one thread. */
@InterfaceAudience.LimitedPrivate("DataNode local cache")
@InterfaceStability.Unstable
public interface InterceptedRead {

  /**
   * The same answer at every call.
   *
   * @return what takes the place of the replica's files, or null: the DataNode reads them itself
   */
  InterceptedReplicaStreams streams();

  /**
   * The read is over, in whatever way. May be called more than once.
   *
   * @param offset first byte of the block that was not sent. Less than the offset asked for if
   *     nothing was sent, and more than the end asked for when the last chunk was completed
   */
  void finished(long offset);

  /**
   * The DataNode has read data of the replica's file by itself, for one packet. Never called while
   * {@link #streams} takes the place of the files.
   *
   * @param nanos how long that took. By sendfile: until the socket had taken the data, without the
   *     time in which it could take none
   */
  default void replicaRead(long nanos) {
  }
}

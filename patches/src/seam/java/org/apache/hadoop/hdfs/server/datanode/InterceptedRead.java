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
   * @return the replacement of the replica's files, or null: the DataNode reads them itself
   */
  InterceptedReplicaStreams streams();

  /**
   * The read has ended, in any way. May be called more than once.
   *
   * @param offset first byte of the block that was not sent. Less than the requested offset if
   *     nothing was sent, more than the requested end if the last chunk was completed
   */
  void finished(long offset);

  /**
   * The DataNode has read data of the replica's file itself, for one packet. Never called while
   * {@link #streams} replaces the files.
   *
   * @param nanos duration. With sendfile: until the socket had accepted the data, without the time
   *     in which it could accept none
   */
  default void replicaRead(long nanos) {
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.util.List;

/**
 * What clients did on one DataNode. May be shared between threads; nobody changes it.
 *
 * @param accesses what they did, ordered by the time at which it began; not empty
 * @param replicas replicas by their numbers
 * @param replicaBytes bytes by the replica's number; if the trace does not tell, the end of what
 *     was read of it
 * @param readers addresses by the reader's number; empty if unknown
 * @param hasReaders whether all of the trace tells who read
 */
public record Trace(List<Access> accesses, List<Replica> replicas, long[] replicaBytes,
    List<String> readers, boolean hasReaders) {

  /** @return number of accesses. */
  public int size() {
    return accesses.size();
  }

  /** @return what an access was to. */
  public Replica replica(Access access) {
    return replicas.get(access.replica());
  }

  /** @return when the first access began, in milliseconds since 1970. */
  public long startMillis() {
    return accesses.get(0).timeMillis();
  }

  /** @return milliseconds from the first access to the last, at least 1. */
  public long spanMillis() {
    return Math.max(1, accesses.get(size() - 1).timeMillis() - startMillis());
  }

  /**
   * One version of a block. Pages of one version are of no use to readers of another, as in the
   * DataNode.
   *
   * @param blockPool the block pool; empty if the trace does not tell
   * @param blockId the block
   * @param generationStamp its version; 0 if the trace does not tell
   */
  public record Replica(String blockPool, long blockId, long generationStamp) {
  }
}

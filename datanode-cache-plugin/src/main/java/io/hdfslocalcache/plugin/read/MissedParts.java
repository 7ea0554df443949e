/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.FileDescriptor;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.PageBytes;

/** Gets parts of pages that are not in the local cache from the replica, for one read. */
public interface MissedParts extends Closeable {

  /**
   * Reads from the replica, or waits for another reader that does.
   *
   * @param from first byte that is needed now, in the page's data
   * @param to byte after the last that is needed now
   * @param wanted byte after the last that the reader will want of the page
   * @return at least the needed bytes, verified, to be closed by the caller; null if they are to be
   *     sent from the replica
   */
  PageBytes get(CachedBlock block, int page, int from, int to, int wanted);

  /** Data was sent from the replica, as the DataNode does it. @param nanos how long that took */
  default void replicaRead(long bytes, long nanos) {
  }

  /** @return the replica's block file, so that the OS can be told to read ahead; null if not open. */
  default FileDescriptor replica() {
    return null;
  }

  /** The reader gets no more. What is to be filled afterwards may begin. */
  default void finished() {
  }

  @Override
  default void close() {
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;

import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.store.OpenPage;

/** Where a reader finds the pages of a block. None of its methods waits for the SSD for long. */
public interface PageSource {

  /** @return whether pages of the block may be used at this moment. */
  boolean isOn(CachedBlock block);

  /** @return the page, to be closed by the caller, or null if it cannot be had. */
  OpenPage acquire(CachedBlock block, int page);

  /**
   * Does something that may wait for the block's SSD.
   *
   * @throws IOException if it fails, or does not come to an end in time
   */
  <T> T await(CachedBlock block, Operation operation, SsdIo.Io<T> io) throws IOException;

  /** Data was read from the replica, in so many nanoseconds. */
  default void replicaRead(long nanos) {
  }

  /** A page could not be read. The reader will not ask for it again. */
  void failed(CachedBlock block, int page, Operation operation, Exception error);
}

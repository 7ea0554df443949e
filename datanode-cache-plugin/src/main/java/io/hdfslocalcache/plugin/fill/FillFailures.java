/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;

import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;

/** Counts errors of reading a replica for a fill. A changed replica is no error. */
public record FillFailures(ReplicaAccess replicas, LocalCacheMetrics metrics) {

  /**
   * A replica could not be read, or does not match its checksums. The client that reads it finds
   * out and reports it. An interrupt by the closing local cache is no error, nor is a volume that is
   * being removed.
   */
  public void failed(ReplicaSnapshot snapshot, IOException error) {
    if (!replicas.isCurrent(snapshot) || error instanceof ClosedChannelException) {
      metrics.count(Event.FILLS_DROPPED_STALE);
    } else if (error instanceof DamagedPageException) {
      metrics.error(Operation.FILL_VERIFY,
          new DamagedPageException("replica " + snapshot + ": " + error.getMessage(), error));
    } else if (!Thread.currentThread().isInterrupted()) {
      metrics.error(Operation.FILL_READ, error);
    }
  }
}

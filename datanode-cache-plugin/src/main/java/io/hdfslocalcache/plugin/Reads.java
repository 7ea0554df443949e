/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.read.ClientRead;

/** The reads of a DataNode: with a local cache, or in a dry run. No method throws. */
interface Reads {

  /** A client begins to read: {@link LocalCache#beginRead} explains the parameters. */
  ClientRead begin(String clientName, String user, ReplicaSnapshot snapshot, long known,
      ReadOutcome unfit, long offset, long length);

  /** @return number of reads that have begun and not ended, bypasses included. */
  long inProgress();
}

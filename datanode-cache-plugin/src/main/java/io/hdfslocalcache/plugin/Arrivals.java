/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import io.hdfslocalcache.plugin.fill.Fills;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.invalidation.Invalidator;
import io.hdfslocalcache.plugin.invalidation.ReplicaChanges;
import io.hdfslocalcache.plugin.restore.Restorer;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;

/** What has to be done when an SSD comes into use, or goes out of it. */
final class Arrivals {

  /** Those that have to do with an SSD. */
  record Context(BlockIndex index, ReplicaChanges changes, Restorer restorer, Fills fills,
      Invalidator invalidator) {
  }

  private final Context context;

  Arrivals(Context context) {
    this.context = context;
  }

  /** An SSD is open, or its directory was gone and is back. */
  void arrived(SsdDirectory ssd) {
    context.restorer().restore(ssd);
  }

  /** An SSD is not used any more: nobody looks for pages there. */
  void departed(SsdDirectory ssd) {
    context.restorer().forget(ssd);
    context.index().forEach(block -> {
      if (block.ssd().equals(ssd.path())) {
        context.index().discard(block);
      }
    });
    context.fills().forget(ssd);
    context.invalidator().forget(ssd);
  }
}

/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import io.hdfslocalcache.plugin.admin.RuntimeSettings;
import io.hdfslocalcache.plugin.fill.Fills;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.invalidation.Invalidator;
import io.hdfslocalcache.plugin.invalidation.ReplicaChanges;
import io.hdfslocalcache.plugin.restore.Restorer;
import io.hdfslocalcache.plugin.rules.Pins;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.StateFiles;

/** What has to be done when an SSD comes into use, or goes out of it. */
final class Arrivals {

  /** A file on each SSD, beside the pages, with what the rate limiter must not forget. */
  static final String ADMISSION_STATE = "admission";

  /** Those that have to do with an SSD. */
  record Context(BlockIndex index, ReplicaChanges changes, Restorer restorer, Fills fills,
      Invalidator invalidator, CacheRateLimiter limiter, StateFiles admissionState, Pins pins) {
  }

  private final Context context;
  private volatile RuntimeSettings settings;

  Arrivals(Context context) {
    this.context = context;
  }

  /** Says what else is kept on SSDs. */
  void setSettings(RuntimeSettings newSettings) {
    settings = newSettings;
  }

  /** @return the settings that can be changed, or null. */
  RuntimeSettings settings() {
    return settings;
  }

  /** An SSD is open, or its directory was gone and is back. */
  void arrived(SsdDirectory ssd) {
    boolean isFirst = context.admissionState().isEmpty();
    context.admissionState().add(ssd.own(ADMISSION_STATE));
    if (isFirst) {
      context.limiter().restore(context.admissionState());
    }
    context.restorer().restore(ssd);
    context.pins().openAgain();
    if (settings != null) {
      settings.openAgain();
    }
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
    context.admissionState().remove(ssd.own(ADMISSION_STATE));
  }
}

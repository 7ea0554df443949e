/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.Operation;

/**
 * Told which pages the store has, and what goes wrong where Alluxio keeps exceptions to itself.
 * Called under a lock of the store: must not call it back.
 */
public interface PageListener {

  /** The store has this page now; its file may still be on its way. Called under its lock. */
  void pageAdded(StoredPage page);

  /** The store has this page no more. Called under its lock. */
  void pageRemoved(StoredPage page);

  /** A page has been removed to make room. */
  void pageEvicted(StoredPage page);

  /** All pages of a block that has changed are removed. */
  default void blockRemoved(int pages) {
  }

  /** @return the pages that are in memory now, by block; asked for before a stop. */
  default Map<String, List<Integer>> pagesInMemory() {
    return Map.of();
  }

  /** @return how long a read of the data volumes takes at present, in nanoseconds. */
  default long volumesNanos() {
    return 0;
  }

  /** A page's file could not be given its name, or not be removed. */
  void failed(Operation operation, Throwable error);

  /** The state of an SSD has changed. Must return soon. */
  default void healthChanged(Path directory, SsdState before, SsdState now, String reason) {
  }
}

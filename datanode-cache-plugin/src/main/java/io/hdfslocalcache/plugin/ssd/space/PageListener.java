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
 * Is told of the store's pages, and of errors that Alluxio hides. Called under a lock of the store:
 * must not call it back.
 */
public interface PageListener {

  /** A page was added to the store; its file may not exist yet. Called under its lock. */
  void pageAdded(StoredPage page);

  /** A page was removed from the store. Called under its lock. */
  void pageRemoved(StoredPage page);

  /** A page was evicted. */
  void pageEvicted(StoredPage page);

  /** All pages of a changed block were removed. */
  default void blockRemoved(int pages) {
  }

  /** @return the pages in memory now, by block; called before a stop. */
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
